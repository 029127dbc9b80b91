#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

const Algorithm bcast_chain{
    .name = "chain",
    .operation = Operation::bcast,
    .summary = "from rank to rank; segments follow one another, every link is used once, for large vectors",
    .write = write_bcast_over<chain_shape>,
    .shape = chain_shape,
    .segments = true,
};

}  // namespace tombolo
