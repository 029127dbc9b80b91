#include <tombolo/collectives/scatterv/over_tree.hpp>

namespace tombolo {

const Algorithm scatterv_postal{
    .name = "postal",
    .operation = Operation::scatterv,
    .summary = "blocks travel down the tree that reaches most ranks in any time; for small blocks",
    .write = write_scatterv_over<postal_shape>,
    .shape = postal_shape,
    .learn = learn_scatterv_over<postal_shape>,
    .segments = true,
    .timed = true,
};

}  // namespace tombolo
