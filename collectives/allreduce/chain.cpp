#include <tombolo/collectives/allreduce/over_tree.hpp>

namespace tombolo {

const Algorithm allreduce_chain{
    .name = "chain",
    .operation = Operation::allreduce,
    .summary = "up from rank to rank and down again; in segments, for large vectors of operands in order",
    .write = write_allreduce_over<chain_shape>,
    .segments = true,
};

}  // namespace tombolo
