#include <tombolo/collectives/gatherv/over_tree.hpp>

namespace tombolo {

const Algorithm gatherv_flat{
    .name = "flat",
    .operation = Operation::gatherv,
    .summary = "every rank sends the root its block; each element travels once, for large blocks",
    .write = write_gatherv_over<flat_shape>,
    .shape = flat_shape,
};

}  // namespace tombolo
