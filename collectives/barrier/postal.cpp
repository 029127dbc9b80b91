#include <tombolo/collectives/barrier/over_tree.hpp>

namespace tombolo {

const Algorithm barrier_postal{
    .name = "postal",
    .operation = Operation::barrier,
    .summary = "signals go up the tree that reaches most ranks in any time and down again",
    .write = write_barrier_over<postal_shape>,
    .timed = true,
};

}  // namespace tombolo
