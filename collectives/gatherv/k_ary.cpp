#include <tombolo/collectives/gatherv/over_tree.hpp>

namespace tombolo {

const Algorithm gatherv_k_ary{
    .name = "k_ary",
    .operation = Operation::gatherv,
    .summary = "blocks travel up a tree of a few children each; for small blocks",
    .write = write_gatherv_over<k_ary_shape>,
    .shape = k_ary_shape,
    .learn = learn_gatherv_over<k_ary_shape>,
    .segments = true,
    .radix = k_ary_radix,
};

}  // namespace tombolo
