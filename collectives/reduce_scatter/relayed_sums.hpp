#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/level_groups.hpp>

namespace tombolo {

/// Which way contributions to the blocks of a vector take from all ranks to the blocks' owners, in groups inside
/// groups. At every level each group sums up what the other groups of the group around it own: its ranks relay equal
/// shares of what each of these owns, so that a relay has a bundle, with a share for each other group. A bundle crosses
/// in `turns` slices, each with an equal part of every share. In a group of groups each of these sums a bundle up at a
/// relay of its own first, in a smallest group all send to the relay. It is what Relayed (relayed.hpp) is to
/// allgatherv, the other way round, but for bundles: contributions need not travel by block.
///
/// All ranks, groups and blocks are those of places.
class RelayedSums {
 public:
  /// `each`: elements of a slice, about; 0: bundles are not cut. `groups` must outlive this.
  RelayedSums(const LevelGroups& groups, const Blocks& blocks, std::int64_t each);

  /// Elements of somebody's block, from `offset` on in that block.
  struct Part {
    int place = 0;  ///< of the owner, or of the relay that it comes from
    std::int64_t offset = 0;
    std::int64_t count = 0;
  };
  /// What one place has to do with a bundle.
  struct Role {
    std::vector<int> from{};  ///< whose sums it adds to its own contribution
    int to = -1;              ///< whom it sends the sum; -1 at the relay
  };

  /// How many slices the bundles of that group of a level from 1 on have; 0 where there is no other group.
  std::int64_t turns(int level, const Group& group) const;
  /// A slice of the bundle of the relay that has that index in its group: parts by owner, those of the next group
  /// first.
  std::vector<Part> slice(int level, const Group& group, int relay, std::int64_t turn) const;
  Role role(int level, const Group& group, int relay, int place) const;
  /// What comes for a place's own block from another group at that level, by relay, the slices of each in order.
  std::vector<Part> arriving(int level, const Group& from, int place) const;

  /// The most elements that arrive at a place for its bundles, and a copy of these.
  std::int64_t most_relayed(int place) const;
  /// How many sums of the place's own block arrive there.
  std::int64_t sums(int place) const;
  std::int64_t count(int place) const { return elements({place, 1}); }
  /// The other groups in the group around that one, from the next one on, in a cycle.
  std::vector<Group> others(int level, const Group& group) const;

 private:
  std::int64_t elements(const Group& group) const;
  std::int64_t bundle(int level, const Group& group) const;

  const LevelGroups& groups_;
  std::int64_t each_;
  std::vector<std::int64_t> before_;  // elements of the blocks of the places before each place
};

}  // namespace tombolo
