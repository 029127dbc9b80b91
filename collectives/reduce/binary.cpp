#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

const Algorithm reduce_binary{
    .name = "binary",
    .operation = Operation::reduce,
    .summary = "a tree of two children each; segments flow up it, for vectors of middle size",
    .write = write_reduce_over<binary_shape>,
    .shape = binary_shape,
    .segments = true,
};

}  // namespace tombolo
