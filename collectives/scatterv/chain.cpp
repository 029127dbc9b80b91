#include <tombolo/collectives/scatterv/over_tree.hpp>

namespace tombolo {

const Algorithm scatterv_chain{
    .name = "chain",
    .operation = Operation::scatterv,
    .summary = "all that is left goes from rank to rank; one partner each, where the root has one good link only",
    .write = write_scatterv_over<chain_shape>,
    .shape = chain_shape,
    .learn = learn_scatterv_over<chain_shape>,
    .segments = true,
};

}  // namespace tombolo
