#include <tombolo/collectives/subtree_blocks.hpp>

namespace tombolo {

std::int64_t SubtreeBlocks::elements(const Subtree& subtree) const {
  std::int64_t sum = 0;
  for (int place = subtree.top; place < subtree.end(); ++place) sum += request_.blocks.count(places_.rank(place));
  return sum;
}

Pieces SubtreeBlocks::at_root(const Subtree& subtree, Buffer buffer) const {
  Pieces pieces;
  for (int place = subtree.top; place < subtree.end(); ++place) {
    const Rank rank = places_.rank(place);
    pieces.push_back({buffer, request_.blocks.offset(rank), request_.blocks.count(rank)});
  }
  return pieces;
}

Pieces SubtreeBlocks::in_scratch(const Subtree& child) const {
  const int first = node_.subtree.top + 1;
  return {{Buffer::scratch, elements({first, child.top - first}), elements(child)}};
}

Pieces SubtreeBlocks::counts(const Subtree& subtree, bool with_top) const {
  Pieces pieces;
  for (int place = subtree.top + (with_top ? 0 : 1); place < subtree.end(); ++place) {
    pieces.push_back({Buffer::counts, places_.rank(place), 1});
  }
  return pieces;
}

}  // namespace tombolo
