#include <tombolo/collectives/scatterv/over_tree.hpp>

namespace tombolo {

const Algorithm scatterv_binomial{
    .name = "binomial",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a binomial tree; fewest messages at the root, for small blocks",
    .write = write_scatterv_over<binomial_shape>,
    .shape = binomial_shape,
    .learn = learn_scatterv_over<binomial_shape>,
    .segments = true,
};

}  // namespace tombolo
