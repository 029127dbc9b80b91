#include <tombolo/collectives/allgatherv/over_places.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_over_ring(all, request.element_bytes, parameters, writer); });
}

}  // namespace

const Algorithm allgatherv_ring{
    .name = "ring",
    .operation = Operation::allgatherv,
    .summary = "blocks travel around a ring, to one neighbour each, in segments; for large blocks and weak switches",
    .write = write,
    .segments = true,
    .period = period_of_blocks,
};

}  // namespace tombolo
