#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Piece out{Buffer::output, 0, request.count};
  if (!request.in_place) writer.copy({{Buffer::input, 0, request.count}}, {out});
  if (rank > 0) {
    const Piece before{Buffer::scratch, writer.scratch(request.count), request.count};
    writer.receive(rank - 1, {before});
    writer.reduce({before}, {out});
  }
  if (rank + 1 < request.ranks) writer.send(rank + 1, {out});
}

}  // namespace

const Algorithm scan_placeholder{
    .name = "placeholder",
    .operation = Operation::scan,
    .summary = "from rank to rank; simple",
    .write = write,
};

}  // namespace tombolo
