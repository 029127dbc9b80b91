#include <tombolo/collectives/gatherv/over_tree.hpp>

namespace tombolo {

const Algorithm gatherv_binomial{
    .name = "binomial",
    .operation = Operation::gatherv,
    .summary = "blocks travel up a binomial tree; fewest messages at the root, for small blocks",
    .write = write_gatherv_over<binomial_shape>,
    .shape = binomial_shape,
    .learn = learn_gatherv_over<binomial_shape>,
    .segments = true,
};

}  // namespace tombolo
