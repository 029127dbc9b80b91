#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

const Algorithm reduce_flat{
    .name = "flat",
    .operation = Operation::reduce,
    .summary = "the root receives from every rank; for two or three ranks",
    .write = write_reduce_over<flat_shape>,
    .shape = flat_shape,
};

}  // namespace tombolo
