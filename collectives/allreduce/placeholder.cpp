#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Piece out{Buffer::output, 0, request.count};
  const Rank last = request.ranks - 1;
  if (!request.in_place) writer.copy({{Buffer::input, 0, request.count}}, {out});
  if (rank > 0) {
    const Piece before{Buffer::scratch, writer.scratch(request.count), request.count};
    writer.receive(rank - 1, {before});
    writer.reduce({before}, {out});
  }
  if (rank < last) {
    writer.send(rank + 1, {out});
    writer.receive(last, {out});
  }
  for (Rank to = 0; rank == last && to < last; ++to) writer.send(to, {out});
}

}  // namespace

const Algorithm allreduce_placeholder{
    .name = "placeholder",
    .operation = Operation::allreduce,
    .summary = "from rank to rank; simple",
    .write = write,
};

}  // namespace tombolo
