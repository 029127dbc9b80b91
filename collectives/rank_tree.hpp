#pragma once

#include <vector>

#include <tombolo/collectives/role.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// A tree over ranks that is written down, where a Shape is a rule: for trees made for one platform, which follow none.
/// Places are in preorder, so that every subtree covers consecutive ones and the children of a place follow it in the
/// order in which a broadcast serves them. There may be several tops: as many trees side by side.
///
///     const RankTree tree({2, 0, 3, 1}, {-1, 0, 1, 0});  // 2 serves 0, which serves 3, and then 1
class RankTree {
 public:
  /// The rank at each place, and the place of its parent, -1 for a top. Throws Error where a rank is missing or stands
  /// twice, or where parents are not those of a preorder.
  RankTree(std::vector<Rank> order, std::vector<int> parents);

  /// Of what every rank serves, in that order: children by rank.
  static RankTree of_children(const std::vector<Rank>& tops, const std::vector<std::vector<Rank>>& children);
  /// A shape over those ranks, the first at its top; together they must be all from 0 up.
  static RankTree of_shape(const Shape& shape, const std::vector<Rank>& ranks);

  int ranks() const { return static_cast<int>(order_.size()); }
  const std::vector<Rank>& order() const { return order_; }
  const std::vector<int>& parents() const { return parents_; }
  /// The ranks that have no parent.
  std::vector<Rank> tops() const;

  int place(Rank rank) const { return places_[static_cast<std::size_t>(rank)]; }
  Subtree subtree(int place) const { return {place, sizes_[static_cast<std::size_t>(place)]}; }
  /// The place as a tree over places has it.
  Tree::Node node(int place) const;
  /// Upwards, what is served last is combined first: in time, it has least to wait for.
  Role role(Rank rank, Direction direction) const;

  bool operator==(const RankTree& other) const { return order_ == other.order_ && parents_ == other.parents_; }

 private:
  std::vector<Rank> order_;   // by place
  std::vector<int> parents_;  // by place
  std::vector<int> places_;   // by rank
  std::vector<int> sizes_;    // of the subtrees, by place
};

}  // namespace tombolo
