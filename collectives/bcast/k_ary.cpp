#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

const Algorithm bcast_k_ary{
    .name = "k_ary",
    .operation = Operation::bcast,
    .summary = "a tree of a few children each; segments flow down it, for vectors of middle size",
    .write = write_bcast_over<k_ary_shape>,
    .shape = k_ary_shape,
    .segments = true,
    .radix = k_ary_radix,
};

}  // namespace tombolo
