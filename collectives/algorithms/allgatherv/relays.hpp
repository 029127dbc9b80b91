#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/counts.hpp>

namespace tombolo {

/// Leader forwarding: the routes of parts of blocks from their owners to all ranks. At every level a part is sent once
/// to each other group, to one of its leaders, which forwards the part within the group. In a smallest group the first
/// rank with the part sends it to all others. The ranks of a group are leaders for equal shares of the elements that
/// come from another group, regardless of the block sizes, and the shares of several groups are spread evenly over
/// them.
class Relayed {
 public:
  /// `groups` must outlive this.
  Relayed(const NestedGroups& groups, const Blocks& blocks);

  /// The role of one virtual rank for a part of a block. All numbers are virtual ranks.
  struct Way {
    int from = -1;            ///< the sender to this virtual rank; -1 at the owner
    std::vector<int> far{};   ///< leaders of other groups to send to, over the longest links first
    std::vector<int> near{};  ///< others of its smallest group to send to, from the first member with the part
  };

  /// Returns the role of `place` for `count` >= 1 elements of the owner's block from `offset` on.
  Way way(int owner, std::int64_t offset, std::int64_t count, int place) const;

 private:
  // A fraction of a group's elements, or a position among virtual ranks, in units of 2^-32.
  using Fixed = std::uint64_t;
  Fixed within(const Group& group, int owner, std::int64_t offset, std::int64_t count) const;

  const NestedGroups& groups_;
  std::vector<std::int64_t> before_;  // elements of the blocks before each virtual rank's
};

}  // namespace tombolo
