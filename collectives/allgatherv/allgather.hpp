#pragma once

#include <functional>

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/placed_blocks.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// An exchange after which all places have all blocks, each where it belongs in Buffer::output. It is allgatherv's, and
/// the second half of others.
struct Allgather {
  const PlacedBlocks& blocks;
  int place = 0;
  Piece own{};  ///< where the place's own block stands at first
  /// Which blocks a place has in its output from the beginning: consecutive ones, its own first. Null: no other.
  std::function<Group(int)> held = nullptr;

  int size() const { return blocks.size(); }
  Rank rank(int other) const { return blocks.rank(other); }
  /// The place so many further on in the ring of places, or back.
  int further(int steps) const { return (place + steps + size()) % size(); }
  /// Blocks to be sent: the own one from where it stands, the others from the output.
  Pieces from(const Group& group) const;
  Pieces into(const Group& group) const { return blocks.blocks(group, Buffer::output); }
  Group held_by(int at) const { return held ? held(at) : Group{at, 1}; }
  /// What a place lacks at first of a group that does not run over the last place: at most two groups.
  std::vector<Group> lacking(int at, const Group& group) const;
  Pieces from(const std::vector<Group>& groups) const;
  Pieces into(const std::vector<Group>& groups) const;
};

/// Each block travels from place to place: no place ever sends to another than the next, in segments.
void allgather_over_ring(const Allgather& all, Bytes element_bytes, const Parameters& parameters,
                         ScheduleWriter& writer);

/// Groups of places that have one another's blocks exchange them with `radix` - 1 others, then the groups of these do,
/// ceil(log_radix(places)) times; for any number of places (nested_groups.hpp).
void allgather_over_groups(const Allgather& all, int radix, ScheduleWriter& writer);

/// Algorithm::period of what cuts every block by itself.
inline int period_of_blocks(const Request& request, const Parameters& /*parameters*/) {
  return request.ranks;
}

}  // namespace tombolo
