#pragma once

#include <tombolo/collectives/plan/schedule_writer.hpp>
#include <tombolo/collectives/topology/radix_groups.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/counts.hpp>

namespace tombolo {

/// A vector with one block per virtual rank, and the position of the blocks in a buffer with the whole vector.
class PlacedBlocks {
 public:
  /// The block of a virtual rank is the block of its rank. `rank_order` must outlive this.
  PlacedBlocks(Blocks blocks, const RankOrder& rank_order) : blocks_(std::move(blocks)), places_(rank_order) {}
  /// `count` elements in almost equal blocks, in the order of virtual ranks.
  static PlacedBlocks even(std::int64_t count, const RankOrder& rank_order);

  int size() const { return places_.size(); }
  Rank rank(int place) const { return places_.rank(place); }
  BufferRange block(int place, Buffer buffer) const;
  /// The blocks of a group in the order of virtual ranks, with adjacent buffer ranges merged.
  BufferRanges blocks(const Group& group, Buffer buffer) const;
  std::int64_t elements(const Group& group) const;
  /// Elements of the largest block.
  std::int64_t most() const;

 private:
  int wrapped(int place) const { return place < size() ? place : place - size(); }
  // Calls visit(buffer range) for each block of a group, or for all of them that follow each other at once.
  template <class Visit>
  void each_range(const Group& group, Buffer buffer, Visit visit) const;
  Blocks blocks_;
  const RankOrder& places_;
  bool by_place_ = false;  // true: block i belongs to virtual rank i; false: to rank i
};

}  // namespace tombolo
