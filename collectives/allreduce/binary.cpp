#include <tombolo/collectives/allreduce/over_tree.hpp>

namespace tombolo {

const Algorithm allreduce_binary{
    .name = "binary",
    .operation = Operation::allreduce,
    .summary = "up a tree of two children each and down again; in segments, for vectors of middle size",
    .write = write_allreduce_over<binary_shape>,
    .segments = true,
};

}  // namespace tombolo
