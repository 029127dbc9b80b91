#include <tombolo/collectives/reduce_scatter/over_places.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_reduce_scatter(request, parameters, rank, writer, [&](const ReduceScatter& all, const Piece* result) {
    ScratchRoom room(writer);
    return reduce_scatter_over_ring(all, result, request.element_bytes, parameters, room, writer);
  });
}

}  // namespace

const Algorithm reduce_scatter_ring{
    .name = "ring",
    .operation = Operation::reduce_scatter,
    .summary = "blocks travel around a ring and grow, to one neighbour each, in segments; for large blocks",
    .write = write,
    .segments = true,
    .reorders = true,
};

}  // namespace tombolo
