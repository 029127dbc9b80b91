#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

const Algorithm bcast_postal{
    .name = "postal",
    .operation = Operation::bcast,
    .summary = "the tree that informs most ranks in any time, from what latency is to sending; for small vectors",
    .write = write_bcast_over<postal_shape>,
    .shape = postal_shape,
    .segments = true,
    .timed = true,
};

}  // namespace tombolo
