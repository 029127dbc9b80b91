#pragma once

#include <vector>

#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// An explicit tree over ranks, for trees made for one platform; a TreeTopology is a rule instead. Virtual ranks
/// (places) are in preorder: every subtree is contiguous, and the children of a node follow it in the order of a
/// broadcast's sends. Several roots are allowed: independent trees side by side.
///
///     const RankTree tree({2, 0, 3, 1}, {-1, 0, 1, 0});  // 2 sends to 0, then to 1; 0 sends to 3
class RankTree {
 public:
  /// The rank of each virtual rank, and the virtual rank of its parent, -1 for a root. Throws Error if a rank is
  /// missing or listed twice, or if the parents do not form a preorder.
  RankTree(std::vector<Rank> order, std::vector<int> parents);

  /// From the roots and the children of each rank, in the order of a broadcast's sends. Throws Error if a
  /// rank is not reached or listed twice.
  static RankTree of_children(const std::vector<Rank>& roots, const std::vector<std::vector<Rank>>& children);
  /// A tree topology over `ranks`, a permutation of 0, 1, ...; the first one is the root.
  static RankTree of_shape(const TreeTopology& shape, const std::vector<Rank>& ranks);

  int ranks() const { return static_cast<int>(order_.size()); }
  const std::vector<Rank>& order() const { return order_; }
  const std::vector<int>& parents() const { return parents_; }
  /// The roots: ranks without a parent.
  std::vector<Rank> roots() const;
  /// Index of a rank among the roots; their number if it is none of them.
  int root_index(Rank rank) const;
  /// The ranks below each root, the root included, in the order of virtual ranks.
  std::vector<std::vector<Rank>> ranks_by_root() const;

  int place(Rank rank) const { return places_[static_cast<std::size_t>(rank)]; }
  Subtree subtree(int place) const { return {place, sizes_[static_cast<std::size_t>(place)]}; }
  /// Parent, subtree and children of a virtual rank.
  Tree::Node node(int place) const;
  /// Parent and children of `rank`. Direction::up reverses the children: the child last in a broadcast has the least to
  /// wait for and is combined first.
  Role role(Rank rank, Direction direction) const;

  bool operator==(const RankTree& other) const { return order_ == other.order_ && parents_ == other.parents_; }

 private:
  std::vector<Rank> order_;   // by virtual rank
  std::vector<int> parents_;  // by virtual rank
  std::vector<int> places_;   // by rank
  std::vector<int> sizes_;    // of the subtrees, by virtual rank
};

}  // namespace tombolo
