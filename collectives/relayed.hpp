#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/level_groups.hpp>

namespace tombolo {

/// Which way parts of blocks take from their owners to all ranks. At every level a part crosses once to each other
/// group, to its relay there, which sees that all of the group have it; in a smallest group whoever has it first sends
/// it to all others. The ranks of a group are relays for equal shares of the elements that come from another group,
/// whatever the blocks are, and the shares of several groups lie evenly over them.
class Relayed {
 public:
  /// `groups` must outlive this.
  Relayed(const LevelGroups& groups, const Blocks& blocks);

  /// What one place has to do with a part of a block. All are places.
  struct Way {
    int from = -1;            ///< whom the place has it from; -1 at the owner
    std::vector<int> far{};   ///< relays of other groups, whom it sends it to: over the longest links first
    std::vector<int> near{};  ///< the others of its smallest group, where it is the first to have it
  };

  /// Of `count` elements of the owner's block from `offset` on, at least one.
  Way way(int owner, std::int64_t offset, std::int64_t count, int place) const;

 private:
  // In units of 2^-32 of what it is a part of; of a place where it is a position among places.
  using Fixed = std::uint64_t;
  Fixed within(const Group& group, int owner, std::int64_t offset, std::int64_t count) const;

  const LevelGroups& groups_;
  std::vector<std::int64_t> before_;  // elements of the blocks of the places before each place
};

}  // namespace tombolo
