#include <tombolo/collectives/gatherv/over_tree.hpp>

namespace tombolo {

const Algorithm gatherv_postal{
    .name = "postal",
    .operation = Operation::gatherv,
    .summary = "blocks travel up the tree that reaches most ranks in any time; for small blocks",
    .write = write_gatherv_over<postal_shape>,
    .shape = postal_shape,
    .learn = learn_gatherv_over<postal_shape>,
    .segments = true,
    .timed = true,
};

}  // namespace tombolo
