#pragma once

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/placed_blocks.hpp>
#include <tombolo/collectives/scratch_room.hpp>

namespace tombolo {

/// An exchange in which places combine their vectors so that each has its own block of the result. It is
/// reduce_scatter's, and the first half of others. Operands are combined in another order than that of places.
struct ReduceScatter {
  const PlacedBlocks& blocks;
  int place = 0;
  Buffer source = Buffer::input;  ///< in which the place's whole vector stands; it is only read
  std::int64_t scratch_limit = 0;

  int size() const { return blocks.size(); }
  Rank rank(int other) const { return blocks.rank(other); }
  int further(int steps) const { return (place + steps + size()) % size(); }
};

/// Every place keeps the part of the vector that is its group's and hands the rest to those of the other groups; then
/// the group splits in turn, ceil(log_radix(places)) times (nested_groups.hpp). Returns where the own block then
/// stands: in scratch, or in the source where there is no other place.
Piece reduce_scatter_over_groups(const ReduceScatter& all, int radix, ScratchRoom& room, ScheduleWriter& writer);

/// A block travels around the ring of places, from the one after its own to its own, and each adds its part, in
/// segments. The own block ends in `result`, whose buffer is not the source; or is left in scratch where it is null.
/// Returns where it stands.
Piece reduce_scatter_over_ring(const ReduceScatter& all, const Piece* result, Bytes element_bytes,
                               const Parameters& parameters, ScratchRoom& room, ScheduleWriter& writer);

}  // namespace tombolo
