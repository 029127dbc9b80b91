#include <tombolo/collectives/reduce_scatter/over_places.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_reduce_scatter(request, parameters, rank, writer, [&](const ReduceScatter& all, const Piece*) {
    ScratchRoom room(writer);
    return reduce_scatter_over_groups(all, 2, room, writer);
  });
}

}  // namespace

const Algorithm reduce_scatter_recursive_halving{
    .name = "recursive_halving",
    .operation = Operation::reduce_scatter,
    .summary = "halves of the ranks exchange halves of the vector, then halves of these; ceil(log2(ranks)) rounds",
    .write = write,
    .reorders = true,
};

}  // namespace tombolo
