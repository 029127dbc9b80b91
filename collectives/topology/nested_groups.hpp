#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tombolo/collectives/topology/radix_groups.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A division of all ranks into groups; the ranks of each group, in its order.
using Partition = std::vector<std::vector<Rank>>;

/// Groups of ranks inside groups, on any number of levels, for algorithms that follow the levels of a platform
/// (mapping/groups_for.hpp). Virtual ranks (places) are assigned so that every group is contiguous. May be empty. A
/// value: copies share immutable data.
///
///     const NestedGroups groups("levels", {{{0, 3, 4}, {1, 2, 5}}, {{0, 4}, {3}, {1, 2, 5}}});
///     groups.group(2, groups.place(4))  // {0, 2}: the first two virtual ranks, which are ranks 0 and 4
class NestedGroups {
 public:
  /// No groups.
  NestedGroups() = default;
  /// One partition per level, the outermost first. Groups that overlap groups of the level before are cut along those.
  /// Virtual ranks follow the order of the groups at each level, and the order of the last partition inside a smallest
  /// group. `name` is for display. Throws Error for no partitions, or if one does not list every rank once.
  NestedGroups(std::string name, std::vector<Partition> partitions);

  bool empty() const { return held_ == nullptr; }
  const std::string& name() const { return held_->name; }
  /// As given, the outermost first; level k has the groups of partition k - 1.
  const std::vector<Partition>& partitions() const { return held_->partitions; }

  /// The following functions require a value that is not empty.
  /// Number of levels: level 0 is the group of all ranks, the last level has the smallest groups.
  int levels() const { return static_cast<int>(held_->groups.size()); }
  int size() const { return static_cast<int>(held_->order.size()); }
  Rank rank(int place) const { return held_->order[static_cast<std::size_t>(place)]; }
  int place(Rank rank) const { return held_->places[static_cast<std::size_t>(rank)]; }
  /// The group of a virtual rank at a level.
  const Group& group(int level, int place) const {
    return held_->groups[static_cast<std::size_t>(level)][static_cast<std::size_t>(place)];
  }
  /// Index of the group among the groups of that level inside the same enclosing group.
  int index(int level, int place) const {
    return held_->indices[static_cast<std::size_t>(level)][static_cast<std::size_t>(place)];
  }
  /// The last level at which virtual ranks a and b are in one group.
  int common_level(int a, int b) const;

  /// Compares the partitions; names are ignored.
  bool operator==(const NestedGroups& other) const;

 private:
  struct Held {
    std::string name;
    std::vector<Partition> partitions;
    std::vector<Rank> order{};                 // by virtual rank
    std::vector<int> places{};                 // by rank
    std::vector<std::vector<Group>> groups{};  // by level and virtual rank
    std::vector<std::vector<int>> indices{};   // by level and virtual rank
  };
  std::shared_ptr<const Held> held_;
};

}  // namespace tombolo
