#include <array>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

namespace {

// What the ranks before make together is a rank's result; with its own vector added it is the next one's. The own
// vector is set aside first, as in place it stands where the result is to come.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const bool is_first = rank == 0;
  const bool is_last = rank == request.ranks - 1;
  const bool is_inner = !is_first && !is_last;
  const Buffer own = request.in_place ? Buffer::output : Buffer::input;
  const auto parts = segments({own, 0, request.count}, request.element_bytes, parameters.segment_bytes);
  const std::int64_t room = !is_inner || parts.empty() ? 0 : parts.front().count;
  const std::array<std::int64_t, 2> slots{writer.scratch(room), parts.size() > 1 ? writer.scratch(room) : 0};
  const int in = writer.lane(parameters.window);
  const int out = writer.lane(parameters.window);
  std::size_t turn = 0;
  for (const Piece& part : parts) {
    const Piece result{Buffer::output, part.offset, part.count};
    Piece sum = part;
    if (is_inner) {
      sum = {Buffer::scratch, slots[turn], part.count};
      turn ^= 1;
      writer.copy({part}, {sum});
    }
    if (!is_first) writer.receive(rank - 1, {result}, {.lane = in});
    if (is_inner) writer.reduce({result}, {sum});
    if (!is_last) writer.send(rank + 1, {sum}, {.lane = out});
  }
}

}  // namespace

const Algorithm exscan_chain{
    .name = "chain",
    .operation = Operation::exscan,
    .summary = "from rank to rank; segments follow one another, every link is used once, for large vectors",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
