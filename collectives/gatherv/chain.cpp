#include <tombolo/collectives/gatherv/over_tree.hpp>

namespace tombolo {

const Algorithm gatherv_chain{
    .name = "chain",
    .operation = Operation::gatherv,
    .summary = "blocks pile up from rank to rank; one partner each, where the root has one good link only",
    .write = write_gatherv_over<chain_shape>,
    .shape = chain_shape,
    .learn = learn_gatherv_over<chain_shape>,
    .segments = true,
};

}  // namespace tombolo
