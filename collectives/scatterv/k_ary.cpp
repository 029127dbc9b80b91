#include <tombolo/collectives/scatterv/over_tree.hpp>

namespace tombolo {

const Algorithm scatterv_k_ary{
    .name = "k_ary",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree of a few children each; for small blocks",
    .write = write_scatterv_over<k_ary_shape>,
    .shape = k_ary_shape,
    .learn = learn_scatterv_over<k_ary_shape>,
    .segments = true,
    .radix = k_ary_radix,
};

}  // namespace tombolo
