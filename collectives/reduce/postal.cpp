#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

const Algorithm reduce_postal{
    .name = "postal",
    .operation = Operation::reduce,
    .summary = "the tree that hears most ranks in any time, from what latency is to sending; for small vectors",
    .write = write_reduce_over<postal_shape>,
    .shape = postal_shape,
    .segments = true,
    .timed = true,
};

}  // namespace tombolo
