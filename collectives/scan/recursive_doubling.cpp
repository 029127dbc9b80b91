#include <array>

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

namespace {

// After round k a rank has combined the vectors of 2^k ranks, its own the last: in each round it hands them to the rank
// 2^k after it and gets those that precede them from the rank 2^k before it (Hillis and Steele 1986).
void write(const Request& request, const Parameters&, Rank rank, ScheduleWriter& writer) {
  const Piece sum{Buffer::output, 0, request.count};
  if (!request.in_place) writer.copy({{Buffer::input, 0, request.count}}, {sum});
  const std::array<std::int64_t, 2> slots{rank > 0 ? writer.scratch(request.count) : 0,
                                          rank > 1 ? writer.scratch(request.count) : 0};
  std::size_t turn = 0;
  for (std::int64_t distance = 1; distance < request.ranks; distance *= 2) {
    if (rank + distance < request.ranks) writer.send(static_cast<Rank>(rank + distance), {sum});
    if (distance > rank) continue;
    const Piece before{Buffer::scratch, slots[turn], request.count};
    turn ^= 1;
    writer.receive(static_cast<Rank>(rank - distance), {before});
    writer.reduce({before}, {sum});
  }
}

}  // namespace

const Algorithm scan_recursive_doubling{
    .name = "recursive_doubling",
    .operation = Operation::scan,
    .summary = "every rank combines what twice as many before it have in every round; fewest rounds for small vectors",
    .write = write,
};

}  // namespace tombolo
