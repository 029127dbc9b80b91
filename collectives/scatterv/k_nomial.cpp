#include <tombolo/collectives/scatterv/over_tree.hpp>

namespace tombolo {

const Algorithm scatterv_k_nomial{
    .name = "k_nomial",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree of fewer levels than the binomial, with more messages at the root",
    .write = write_scatterv_over<k_nomial_shape>,
    .shape = k_nomial_shape,
    .learn = learn_scatterv_over<k_nomial_shape>,
    .segments = true,
    .radix = k_nomial_radix,
};

}  // namespace tombolo
