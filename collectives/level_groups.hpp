#pragma once

#include <vector>

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/collectives/nested_groups.hpp>

namespace tombolo {

/// Ranks in groups inside groups, as trees with several tops say it: the ranks below one top of the first tree are a
/// group, those of them that are below one top of the second tree a group inside it, and so on. Ranks take places so
/// that every group has consecutive ones.
class LevelGroups {
 public:
  explicit LevelGroups(const MappedTrees& trees);

  /// Levels of groups: 0 is that of all ranks, the last one that of the smallest groups.
  int levels() const { return static_cast<int>(groups_.size()); }
  int size() const { return static_cast<int>(order_.size()); }
  Rank rank(int place) const { return order_[static_cast<std::size_t>(place)]; }
  int place(Rank rank) const { return places_[static_cast<std::size_t>(rank)]; }
  /// The group of a place at a level.
  const Group& group(int level, int place) const {
    return groups_[static_cast<std::size_t>(level)][static_cast<std::size_t>(place)];
  }
  /// How many groups of that level precede it in the group around it.
  int index(int level, int place) const {
    return indices_[static_cast<std::size_t>(level)][static_cast<std::size_t>(place)];
  }
  /// The last level at which two places are in one group.
  int common_level(int a, int b) const;

 private:
  std::vector<Rank> order_;                 // by place
  std::vector<int> places_;                 // by rank
  std::vector<std::vector<Group>> groups_;  // by level and place
  std::vector<std::vector<int>> indices_;   // by level and place
};

}  // namespace tombolo
