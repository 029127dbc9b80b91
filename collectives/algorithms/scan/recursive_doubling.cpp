// Scan and exscan by recursive doubling (Hillis and Steele 1986), for small vectors.

#include <array>

#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// After round k a rank has the sum of 2^k ranks, up to and including its own. In each round it sends this sum to the
// rank 2^k after it and receives the preceding sum from the rank 2^k before it.
void write_scan_recursive_doubling(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const BufferRange sum{Buffer::output, 0, request.count};
  if (!request.in_place) writer.copy({{Buffer::input, 0, request.count}}, {sum});
  const std::array<std::int64_t, 2> slots{rank > 0 ? writer.scratch(request.count) : 0,
                                          rank > 1 ? writer.scratch(request.count) : 0};
  std::size_t turn = 0;
  for (std::int64_t distance = 1; distance < request.ranks; distance *= 2) {
    if (rank + distance < request.ranks) writer.send(static_cast<Rank>(rank + distance), {sum});
    if (distance > rank) continue;
    const BufferRange before{Buffer::scratch, slots[turn], request.count};
    turn ^= 1;
    writer.receive(static_cast<Rank>(rank - distance), {before});
    writer.reduce({before}, {sum});
  }
}

// As write_scan_recursive_doubling(), with separate sums to send and to return, since the result excludes the own
// vector.
void write_exscan_recursive_doubling(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const BufferRange result{Buffer::output, 0, request.count};
  const bool is_last = rank == request.ranks - 1;
  BufferRange sum{request.in_place ? Buffer::output : Buffer::input, 0, request.count};
  if (rank > 0 && !is_last) {
    const BufferRange aside{Buffer::scratch, writer.scratch(request.count), request.count};
    writer.copy({sum}, {aside});
    sum = aside;
  }
  const BufferRange slot{Buffer::scratch, rank > 1 ? writer.scratch(request.count) : 0, request.count};
  for (std::int64_t distance = 1; distance < request.ranks; distance *= 2) {
    if (rank + distance < request.ranks) writer.send(static_cast<Rank>(rank + distance), {sum});
    if (distance > rank) continue;
    const BufferRange before = distance == 1 ? result : slot;
    writer.receive(static_cast<Rank>(rank - distance), {before});
    if (distance > 1) writer.reduce({before}, {result});
    if (rank + 2 * distance < request.ranks) writer.reduce({before}, {sum});  // a later round sends the sum
  }
}

consteval Algorithm by_doubling(Operation operation, Algorithm::Write write) {
  return {
      .name = "recursive_doubling",
      .operation = operation,
      .summary =
          "every rank combines what twice as many before it have in every round; fewest rounds for small vectors",
      .write = write,
  };
}

}  // namespace

const Algorithm scan_recursive_doubling = by_doubling(Operation::scan, write_scan_recursive_doubling);
const Algorithm exscan_recursive_doubling = by_doubling(Operation::exscan, write_exscan_recursive_doubling);

}  // namespace tombolo
