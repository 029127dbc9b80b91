// Ring reduce_scatter: blocks travel around the ring and accumulate contributions.

#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

BufferRange reduce_scatter_over_ring(const ReduceScatter& all, const BufferRange* result, Bytes element_bytes,
                                     const Parameters& parameters, ScratchRoom& room, ScheduleWriter& writer) {
  const BufferRange own = all.blocks.block(all.place, all.source);
  if (all.size() == 1) return own;
  const bool flows = parameters.segment_bytes > 0;
  const int out = flows ? writer.channel(parameters.window) : 0;
  const int in = flows ? writer.channel(parameters.window) : 0;
  const std::int64_t most = all.blocks.most();
  const auto at = [](const BufferRange& area, std::int64_t offset, const BufferRange& part) {
    return BufferRange{area.buffer, area.offset + offset, part.count};
  };
  BufferRange partial = all.blocks.block(all.further(-1), all.source);  // partial sum of the block to be sent next
  for (int step = 1; step < all.size(); ++step) {
    const bool is_last = step == all.size() - 1;
    const BufferRange mine = all.blocks.block(all.further(-step - 1), all.source);
    const BufferRange sum = is_last && result != nullptr ? *result : room.at(step % 2 * most, mine.count);
    for (const BufferRange& part : segments(partial, element_bytes, parameters.segment_bytes)) {
      writer.send(all.rank(all.further(1)), {part}, {.channel = out});
    }
    for (const BufferRange& part : segments(mine, element_bytes, parameters.segment_bytes)) {
      const BufferRange arrived = at(sum, part.offset - mine.offset, part);
      writer.receive(all.rank(all.further(-1)), {arrived}, {.channel = in});
      writer.reduce({part}, {arrived});
    }
    partial = sum;
  }
  return partial;
}

namespace {

void write_ring(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_reduce_scatter(request, parameters, rank, writer, [&](const ReduceScatter& all, const BufferRange* result) {
    ScratchRoom room(writer);
    return reduce_scatter_over_ring(all, result, request.element_bytes, parameters, room, writer);
  });
}

}  // namespace

const Algorithm reduce_scatter_ring{
    .name = "ring",
    .operation = Operation::reduce_scatter,
    .summary = "blocks travel around a ring and grow, to one neighbour each, in segments; for large blocks",
    .write = write_ring,
    .uses = {Parameter::segment_bytes},
    .near = NearRanks::adjacent,
    .needs_commutative = true,
};

}  // namespace tombolo
