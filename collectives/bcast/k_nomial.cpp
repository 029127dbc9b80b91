#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

const Algorithm bcast_k_nomial{
    .name = "k_nomial",
    .operation = Operation::bcast,
    .summary = "as binomial, but a rank serves several at a time; where sending takes less than arriving",
    .write = write_bcast_over<k_nomial_shape>,
    .shape = k_nomial_shape,
    .segments = true,
    .radix = k_nomial_radix,
};

}  // namespace tombolo
