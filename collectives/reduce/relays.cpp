#include <tombolo/collectives/reduce/over_forest.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_over_forest(request.ranks, request, parameters, rank, writer);
}

}  // namespace

const Algorithm reduce_relays{
    .name = "relays",
    .operation = Operation::reduce,
    .summary = "each segment is combined by another rank and sent to the root; for large vectors",
    .write = write,
    .segments = true,
    .period = [](const Request& request, const Parameters&) { return request.ranks - 1; },
    .weighs = true,
    .reorders = true,
};

}  // namespace tombolo
