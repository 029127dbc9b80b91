#include <tombolo/collectives/bcast/scatter_allgather.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_scatter_allgather(request, parameters, rank, writer,
                          [&](const Allgather& all) { allgather_over_ring(all, request.element_bytes, {}, writer); });
}

}  // namespace

const Algorithm bcast_scatter_ring_allgather{
    .name = "scatter_ring_allgather",
    .operation = Operation::bcast,
    .summary = "shares go down a tree, then around a ring; each element moves twice, for large vectors",
    .write = write,
};

}  // namespace tombolo
