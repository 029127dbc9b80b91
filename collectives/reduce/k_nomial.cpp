#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

const Algorithm reduce_k_nomial{
    .name = "k_nomial",
    .operation = Operation::reduce,
    .summary = "as binomial, but a rank combines several at a time; where sending takes less than arriving",
    .write = write_reduce_over<k_nomial_shape>,
    .shape = k_nomial_shape,
    .segments = true,
    .radix = k_nomial_radix,
};

}  // namespace tombolo
