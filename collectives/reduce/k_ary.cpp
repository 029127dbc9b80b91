#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

const Algorithm reduce_k_ary{
    .name = "k_ary",
    .operation = Operation::reduce,
    .summary = "a tree of a few children each; segments flow up it, for vectors of middle size",
    .write = write_reduce_over<k_ary_shape>,
    .shape = k_ary_shape,
    .segments = true,
    .radix = k_ary_radix,
};

}  // namespace tombolo
