// Scan and exscan along a chain of ranks, in segments.

#include <array>

#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/scan/chain.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// Each rank adds its vector to the sum of the ranks before it, and passes the result on.
void write_scan_chain(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const bool is_first = rank == 0;
  const bool is_last = rank == request.ranks - 1;
  const BufferRange result{Buffer::output, 0, request.count};
  const auto parts = segments(result, request.element_bytes, parameters.segment_bytes);
  const std::int64_t room = is_first || parts.empty() ? 0 : parts.front().count;
  const std::array<std::int64_t, 2> slots{writer.scratch(room), parts.size() > 1 ? writer.scratch(room) : 0};
  const int in = writer.channel(parameters.window);
  const int out = writer.channel(parameters.window);
  std::size_t turn = 0;
  for (const BufferRange& part : parts) {
    if (!request.in_place) writer.copy({{Buffer::input, part.offset, part.count}}, {part});
    if (!is_first) {
      const BufferRange before{Buffer::scratch, slots[turn], part.count};
      turn ^= 1;
      writer.receive(rank - 1, {before}, {.channel = in});
      writer.reduce({before}, {part});
    }
    if (!is_last) writer.send(rank + 1, {part}, {.channel = out});
  }
}

// The sum of the ranks before is a rank's result; the sum including the own vector is the next rank's result. The own
// vector is copied first, since an in-place result overwrites it.
void write_exscan_chain(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const bool is_first = rank == 0;
  const bool is_last = rank == request.ranks - 1;
  const bool is_inner = !is_first && !is_last;
  const Buffer own = request.in_place ? Buffer::output : Buffer::input;
  const auto parts = segments({own, 0, request.count}, request.element_bytes, parameters.segment_bytes);
  const std::int64_t room = !is_inner || parts.empty() ? 0 : parts.front().count;
  const std::array<std::int64_t, 2> slots{writer.scratch(room), parts.size() > 1 ? writer.scratch(room) : 0};
  const int in = writer.channel(parameters.window);
  const int out = writer.channel(parameters.window);
  std::size_t turn = 0;
  for (const BufferRange& part : parts) {
    const BufferRange result{Buffer::output, part.offset, part.count};
    BufferRange sum = part;
    if (is_inner) {
      sum = {Buffer::scratch, slots[turn], part.count};
      turn ^= 1;
      writer.copy({part}, {sum});
    }
    if (!is_first) writer.receive(rank - 1, {result}, {.channel = in});
    if (is_inner) writer.reduce({result}, {sum});
    if (!is_last) writer.send(rank + 1, {sum}, {.channel = out});
  }
}

consteval Algorithm along_chain(Operation operation) {
  return {
      .name = "chain",
      .operation = operation,
      .summary = "from rank to rank; segments follow one another, every link is used once, for large vectors",
      .write = write_scan_along_chain,
      .uses = {Parameter::segment_bytes},
  };
}

}  // namespace

void write_scan_along_chain(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const auto write = request.operation == Operation::scan ? write_scan_chain : write_exscan_chain;
  write(request, parameters, rank, writer);
}

const Algorithm scan_chain = along_chain(Operation::scan);
const Algorithm exscan_chain = along_chain(Operation::exscan);

}  // namespace tombolo
