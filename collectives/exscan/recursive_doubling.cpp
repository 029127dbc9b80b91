#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

// As scan's, but the own vector stays out of the result: what a rank hands on and what it gets are kept apart.
void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Piece result{Buffer::output, 0, request.count};
  const bool is_last = rank == request.ranks - 1;
  Piece sum{request.in_place ? Buffer::output : Buffer::input, 0, request.count};
  if (rank > 0 && !is_last) {
    const Piece aside{Buffer::scratch, writer.scratch(request.count), request.count};
    writer.copy({sum}, {aside});
    sum = aside;
  }
  const Piece slot{Buffer::scratch, rank > 1 ? writer.scratch(request.count) : 0, request.count};
  for (std::int64_t distance = 1; distance < request.ranks; distance *= 2) {
    if (rank + distance < request.ranks) writer.send(static_cast<Rank>(rank + distance), {sum});
    if (distance > rank) continue;
    const Piece before = distance == 1 ? result : slot;
    writer.receive(static_cast<Rank>(rank - distance), {before});
    if (distance > 1) writer.reduce({before}, {result});
    if (rank + 2 * distance < request.ranks) writer.reduce({before}, {sum});  // there is somebody to hand it to
  }
}

}  // namespace

const Algorithm exscan_recursive_doubling{
    .name = "recursive_doubling",
    .operation = Operation::exscan,
    .summary = "every rank combines what twice as many before it have in every round; fewest rounds for small vectors",
    .write = write,
};

}  // namespace tombolo
