#include <tombolo/collectives/allreduce/over_tree.hpp>

namespace tombolo {

const Algorithm allreduce_postal{
    .name = "postal",
    .operation = Operation::allreduce,
    .summary = "up the tree that hears most ranks in any time and down again; for small vectors",
    .write = write_allreduce_over<postal_shape>,
    .segments = true,
    .timed = true,
};

}  // namespace tombolo
