#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

const Algorithm reduce_chain{
    .name = "chain",
    .operation = Operation::reduce,
    .summary = "from rank to rank; segments follow one another, every link is used once, for large vectors",
    .write = write_reduce_over<chain_shape>,
    .shape = chain_shape,
    .segments = true,
};

}  // namespace tombolo
