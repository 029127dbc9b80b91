#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Piece own{request.in_place ? Buffer::output : Buffer::input, 0, request.count};
  const Piece out{Buffer::output, 0, request.count};
  const bool last = rank + 1 == request.ranks;
  if (rank == 0) {
    if (!last) writer.send(1, {own});
    return;
  }
  if (last) {
    writer.receive(rank - 1, {out});
    return;
  }
  const Piece sum{Buffer::scratch, writer.scratch(request.count), request.count};
  const Piece before{Buffer::scratch, writer.scratch(request.count), request.count};
  writer.copy({own}, {sum});
  writer.receive(rank - 1, {before});
  writer.reduce({before}, {sum});
  writer.send(rank + 1, {sum});
  writer.copy({before}, {out});
}

}  // namespace

const Algorithm exscan_placeholder{
    .name = "placeholder",
    .operation = Operation::exscan,
    .summary = "from rank to rank; simple",
    .write = write,
};

}  // namespace tombolo
