#include <array>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

namespace {

// Each rank adds its vector to what those before it make together, and passes that on.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const bool is_first = rank == 0;
  const bool is_last = rank == request.ranks - 1;
  const Piece result{Buffer::output, 0, request.count};
  const auto parts = segments(result, request.element_bytes, parameters.segment_bytes);
  const std::int64_t room = is_first || parts.empty() ? 0 : parts.front().count;
  const std::array<std::int64_t, 2> slots{writer.scratch(room), parts.size() > 1 ? writer.scratch(room) : 0};
  const int in = writer.lane(parameters.window);
  const int out = writer.lane(parameters.window);
  std::size_t turn = 0;
  for (const Piece& part : parts) {
    if (!request.in_place) writer.copy({{Buffer::input, part.offset, part.count}}, {part});
    if (!is_first) {
      const Piece before{Buffer::scratch, slots[turn], part.count};
      turn ^= 1;
      writer.receive(rank - 1, {before}, {.lane = in});
      writer.reduce({before}, {part});
    }
    if (!is_last) writer.send(rank + 1, {part}, {.lane = out});
  }
}

}  // namespace

const Algorithm scan_chain{
    .name = "chain",
    .operation = Operation::scan,
    .summary = "from rank to rank; segments follow one another, every link is used once, for large vectors",
    .write = write,
    .segments = true,
};

}  // namespace tombolo
