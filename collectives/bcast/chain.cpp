#include <tombolo/collectives/bcast/over_tree.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_tree(chain_shape, request, parameters, rank, writer);
}

}  // namespace

const Algorithm bcast_chain{
    .name = "chain",
    .operation = Operation::bcast,
    .summary = "from rank to rank; segments follow one another, every link is used once, for large vectors",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
