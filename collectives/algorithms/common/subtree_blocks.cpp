#include <tombolo/collectives/algorithms/common/subtree_blocks.hpp>

namespace tombolo {

std::vector<Rank> SubtreeBlocks::direct() const {
  std::vector<Rank> ranks;
  if (most_ == std::numeric_limits<std::int64_t>::max()) return ranks;
  for (int place = 1; place < call_.request.ranks; ++place) {
    if (is_direct(places_.rank(place))) ranks.push_back(places_.rank(place));
  }
  return ranks;
}

std::int64_t SubtreeBlocks::elements(const Subtree& subtree) const {
  std::int64_t sum = 0;
  for (int place = subtree.top; place < subtree.end(); ++place) sum += count(places_.rank(place));
  return sum;
}

BufferRanges SubtreeBlocks::at_root(const Subtree& subtree, Buffer buffer) const {
  BufferRanges pieces;
  for (int place = subtree.top; place < subtree.end(); ++place) {
    const Rank rank = places_.rank(place);
    pieces.push_back({buffer, call_.request.blocks.offset(rank), count(rank)});
  }
  return pieces;
}

BufferRanges SubtreeBlocks::in_scratch(const Subtree& child) const {
  const int first = node_.subtree.top + 1;
  return {{Buffer::scratch, elements({first, child.top - first}), elements(child)}};
}

BufferRanges SubtreeBlocks::counts(const Subtree& subtree, bool with_top) const {
  BufferRanges pieces;
  for (int place = subtree.top + (with_top ? 0 : 1); place < subtree.end(); ++place) {
    pieces.push_back({Buffer::counts, places_.rank(place), 1});
  }
  return pieces;
}

}  // namespace tombolo
