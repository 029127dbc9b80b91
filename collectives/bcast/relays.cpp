#include <tombolo/collectives/bcast/over_forest.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_forest(request.ranks, request, parameters, rank, writer);
}

}  // namespace

const Algorithm bcast_relays{
    .name = "relays",
    .operation = Operation::bcast,
    .summary = "each segment goes to another rank, which sends it to all others; for large vectors",
    .write = write,
    .segments = true,
    .period = [](const Request& request, const Parameters&) { return request.ranks - 1; },
    .weighs = true,
};

}  // namespace tombolo
