#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/counts.hpp>

namespace tombolo {

/// Splits groups where their ranks are not consecutive, so that virtual ranks equal ranks: for operands that must keep
/// the order of ranks.
NestedGroups groups_in_order(const NestedGroups& groups);

/// Leader forwarding of sums: the routes of contributions from all ranks to the owners of the blocks of a vector, over
/// nested groups. At every level each group sums up the blocks that its sibling groups own. The ranks of the group are
/// leaders for equal shares of the blocks of each sibling; a leader's bundle consists of its shares for all siblings. A
/// bundle is sent in `turns` slices, each with an equal part of every share. In a group with subgroups each subgroup
/// first sums up the bundle at a leader of its own; in a smallest group all ranks send to the leader. The mirror of
/// Relayed (allgatherv/relays.hpp), except that contributions travel in bundles instead of blocks.
///
/// All ranks, groups and blocks are numbered by virtual rank.
class RelayedSums {
 public:
  /// `each`: approximate number of elements of a slice; 0: one slice per bundle. `groups` must outlive this.
  RelayedSums(const NestedGroups& groups, const Blocks& blocks, std::int64_t each);

  /// Elements of a block, from `offset` on in that block.
  struct Part {
    int place = 0;  ///< virtual rank of the owner, or of the leader that sends the part
    std::int64_t offset = 0;
    std::int64_t count = 0;
  };
  /// The role of one virtual rank for a bundle.
  struct Role {
    std::vector<int> from{};  ///< virtual ranks whose sums are added to the own contribution
    int to = -1;              ///< target of the sum; -1 at the leader
  };

  /// The number of slices of the bundles of a group, at a level from 1 on; 0 without sibling groups.
  std::int64_t turns(int level, const Group& group) const;
  /// A slice of the bundle of the leader with index `relay` in its group: parts by owner, in the order of others().
  std::vector<Part> slice(int level, const Group& group, int relay, std::int64_t turn) const;
  Role role(int level, const Group& group, int relay, int place) const;
  /// The parts that arrive for the own block of `place` from a sibling group at that level, by leader, the slices of
  /// each in order.
  std::vector<Part> arriving(int level, const Group& from, int place) const;

  /// Upper bound of a virtual rank's scratch for its bundles, in elements: the arriving sums and a copy of the own
  /// contribution.
  std::int64_t most_relayed(int place) const;
  /// The number of sums that arrive for the own block of a virtual rank.
  std::int64_t sums(int place) const;
  std::int64_t count(int place) const { return elements({place, 1}); }
  /// The sibling groups of a group, cyclically from the next one on.
  std::vector<Group> others(int level, const Group& group) const;

 private:
  std::int64_t elements(const Group& group) const;
  std::int64_t bundle(int level, const Group& group) const;

  const NestedGroups& groups_;
  std::int64_t each_;
  std::vector<std::int64_t> before_;  // elements of the blocks before each virtual rank's
};

}  // namespace tombolo
