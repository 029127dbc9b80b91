#pragma once

#include <tombolo/collectives/nested_groups.hpp>
#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// A vector of which every place has a block: where the blocks of some places lie in a buffer that holds all of it.
class PlacedBlocks {
 public:
  /// The block of a place is that of its rank. `places` must outlive this.
  PlacedBlocks(Blocks blocks, const Places& places) : blocks_(std::move(blocks)), places_(places) {}
  /// `count` elements shared out evenly, in the order of places.
  static PlacedBlocks even(std::int64_t count, const Places& places);

  int size() const { return places_.size(); }
  Rank rank(int place) const { return places_.rank(place); }
  Piece block(int place, Buffer buffer) const;
  /// In as few pieces as possible, one after the other in the order of places.
  Pieces blocks(const Group& group, Buffer buffer) const;
  std::int64_t elements(const Group& group) const;
  /// Of the largest block.
  std::int64_t most() const;

 private:
  int wrapped(int place) const { return place < size() ? place : place - size(); }
  Blocks blocks_;
  const Places& places_;
  bool by_place_ = false;  // whether block i is that of place i, not of rank i
};

}  // namespace tombolo
