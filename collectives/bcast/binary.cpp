#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

const Algorithm bcast_binary{
    .name = "binary",
    .operation = Operation::bcast,
    .summary = "a tree of two children each; segments flow down it, for vectors of middle size",
    .write = write_bcast_over<binary_shape>,
    .shape = binary_shape,
    .segments = true,
};

}  // namespace tombolo
