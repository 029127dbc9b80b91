#include <tombolo/collectives/allreduce/over_forest.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  allreduce_over_forest(request.ranks, request, parameters, rank, writer);
}

}  // namespace

const Algorithm allreduce_relays{
    .name = "relays",
    .operation = Operation::allreduce,
    .summary = "each segment is combined by another rank, which sends it to all others; for large vectors",
    .write = write,
    .segments = true,
    .period = [](const Request& request, const Parameters&) { return request.ranks; },
    .weighs = true,
    .reorders = true,
};

}  // namespace tombolo
