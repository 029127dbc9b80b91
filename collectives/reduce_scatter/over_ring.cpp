#include <tombolo/collectives/reduce_scatter/reduce_scatter.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

Piece reduce_scatter_over_ring(const ReduceScatter& all, const Piece* result, Bytes element_bytes,
                               const Parameters& parameters, ScratchRoom& room, ScheduleWriter& writer) {
  const Piece own = all.blocks.block(all.place, all.source);
  if (all.size() == 1) return own;
  const bool flows = parameters.segment_bytes > 0;
  const int out = flows ? writer.lane(parameters.window) : 0;
  const int in = flows ? writer.lane(parameters.window) : 0;
  const std::int64_t most = all.blocks.most();
  const auto at = [](const Piece& area, std::int64_t offset, const Piece& part) {
    return Piece{area.buffer, area.offset + offset, part.count};
  };
  Piece partial = all.blocks.block(all.further(-1), all.source);  // of the block that goes out next
  for (int step = 1; step < all.size(); ++step) {
    const bool is_last = step == all.size() - 1;
    const Piece mine = all.blocks.block(all.further(-step - 1), all.source);
    const Piece sum = is_last && result != nullptr ? *result : room.at(step % 2 * most, mine.count);
    for (const Piece& part : segments(partial, element_bytes, parameters.segment_bytes)) {
      writer.send(all.rank(all.further(1)), {part}, {.lane = out});
    }
    for (const Piece& part : segments(mine, element_bytes, parameters.segment_bytes)) {
      const Piece arrived = at(sum, part.offset - mine.offset, part);
      writer.receive(all.rank(all.further(-1)), {arrived}, {.lane = in});
      writer.reduce({part}, {arrived});
    }
    partial = sum;
  }
  return partial;
}

}  // namespace tombolo
