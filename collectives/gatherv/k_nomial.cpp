#include <tombolo/collectives/gatherv/over_tree.hpp>

namespace tombolo {

const Algorithm gatherv_k_nomial{
    .name = "k_nomial",
    .operation = Operation::gatherv,
    .summary = "blocks travel up a tree of fewer levels than the binomial, with more messages at the root",
    .write = write_gatherv_over<k_nomial_shape>,
    .shape = k_nomial_shape,
    .learn = learn_gatherv_over<k_nomial_shape>,
    .segments = true,
    .radix = k_nomial_radix,
};

}  // namespace tombolo
