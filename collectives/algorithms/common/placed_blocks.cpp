#include <algorithm>

#include <tombolo/collectives/algorithms/common/placed_blocks.hpp>

namespace tombolo {

PlacedBlocks PlacedBlocks::even(std::int64_t count, const RankOrder& rank_order) {
  PlacedBlocks shares(Blocks::shared_out(rank_order.size(), count), rank_order);
  shares.by_place_ = true;
  return shares;
}

BufferRange PlacedBlocks::block(int place, Buffer buffer) const {
  const int which = by_place_ ? place : places_.rank(place);
  return {buffer, blocks_.offset(which), blocks_.count(which)};
}

BufferRanges PlacedBlocks::blocks(const Group& group, Buffer buffer) const {
  BufferRanges pieces;
  for (int place = group.first; place < group.end(); ++place) {
    const BufferRange next = block(wrapped(place), buffer);
    if (next.count == 0) continue;
    if (!pieces.empty() && pieces.back().end() == next.offset) {
      pieces.back().count += next.count;
    } else {
      pieces.push_back(next);
    }
  }
  return pieces;
}

std::int64_t PlacedBlocks::elements(const Group& group) const {
  std::int64_t sum = 0;
  for (int place = group.first; place < group.end(); ++place) sum += block(wrapped(place), Buffer::output).count;
  return sum;
}

std::int64_t PlacedBlocks::most() const {
  std::int64_t most = 0;
  for (int block = 0; block < size(); ++block) most = std::max(most, blocks_.count(block));
  return most;
}

}  // namespace tombolo
