#include <tombolo/collectives/allreduce/by_shares.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  ScratchRoom room(writer);
  write_allreduce_by_shares(
      request, parameters, rank, writer,
      [&](const ReduceScatter& all, const Piece* result) {
        return reduce_scatter_over_ring(all, result, request.element_bytes, parameters, room, writer);
      },
      [&](const Allgather& all) { allgather_over_ring(all, request.element_bytes, parameters, writer); });
}

}  // namespace

const Algorithm allreduce_ring{
    .name = "ring",
    .operation = Operation::allreduce,
    .summary =
        "shares travel around a ring twice, to one neighbour each, in segments; for large vectors, weak switches",
    .write = write,
    .segments = true,
    .period = [](const Request& request, const Parameters&) { return request.ranks; },
    .reorders = true,
};

}  // namespace tombolo
