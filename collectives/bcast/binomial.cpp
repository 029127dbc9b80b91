#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

const Algorithm bcast_binomial{
    .name = "binomial",
    .operation = Operation::bcast,
    .summary = "every rank that has the vector passes it on; fewest steps for small vectors",
    .write = write_bcast_over<binomial_shape>,
    .shape = binomial_shape,
    .segments = true,
};

}  // namespace tombolo
