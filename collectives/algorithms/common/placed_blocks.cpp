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

template <class Visit>
void PlacedBlocks::each_range(const Group& group, Buffer buffer, Visit visit) const {
  if (!by_place_ && !places_.is_cyclic()) {
    for (int place = group.first; place < group.end(); ++place) visit(block(wrapped(place), buffer));
    return;
  }
  const auto range = [&](int from, int to) {
    if (from < to) visit(BufferRange{buffer, blocks_.offset(from), blocks_.offset(to) - blocks_.offset(from)});
  };
  if (group.size == 0) return;
  const int first = by_place_ ? wrapped(group.first) : places_.rank(wrapped(group.first));
  const int end = first + group.size;
  range(first, std::min(end, size()));
  range(0, end - size());
}

BufferRanges PlacedBlocks::blocks(const Group& group, Buffer buffer) const {
  BufferRanges pieces;
  each_range(group, buffer, [&pieces](const BufferRange& next) {
    if (next.count == 0) return;
    if (!pieces.empty() && pieces.back().end() == next.offset) {
      pieces.back().count += next.count;
    } else {
      pieces.push_back(next);
    }
  });
  return pieces;
}

std::int64_t PlacedBlocks::elements(const Group& group) const {
  std::int64_t sum = 0;
  each_range(group, Buffer::output, [&sum](const BufferRange& next) { sum += next.count; });
  return sum;
}

std::int64_t PlacedBlocks::most() const {
  std::int64_t most = 0;
  for (int block = 0; block < size(); ++block) most = std::max(most, blocks_.count(block));
  return most;
}

}  // namespace tombolo
