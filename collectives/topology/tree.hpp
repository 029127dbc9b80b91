#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tombolo {

/// A subtree: the virtual rank at its root and the number of virtual ranks it covers, root included. They are
/// consecutive.
struct Subtree {
  int top = 0;
  int size = 0;
  int end() const { return top + size; }
  bool covers(int place) const { return top <= place && place < end(); }
  bool operator==(const Subtree&) const = default;
};

/// Tree topology: a rule that maps a subtree to the subtrees below its root, in the order of a broadcast's sends.
/// Every subtree covers consecutive virtual ranks, so one topology serves bcast, scatterv, gatherv and reduce (also
/// with operands in fixed order). A multilevel tree is a topology that splits at cluster borders first.
class TreeTopology {
 public:
  using Children = std::function<std::vector<Subtree>(Subtree)>;
  using Towards = std::function<Subtree(Subtree, int)>;

  /// From a function that returns the subtrees below the root of a subtree.
  template <class F>
    requires(std::is_invocable_r_v<std::vector<Subtree>, F, Subtree> && !std::same_as<std::decay_t<F>, TreeTopology>)
  TreeTopology(F children) : children_(std::move(children)) {}  // NOLINT(google-explicit-constructor)
  /// With a second function that finds the subtree that covers a virtual rank, for roots with many children or deep
  /// trees.
  TreeTopology(Children children, Towards towards) : children_(std::move(children)), towards_(std::move(towards)) {}

  std::vector<Subtree> children(Subtree whole) const { return children_(whole); }
  /// The subtree below the root of `whole` that covers virtual rank `place`.
  Subtree towards(Subtree whole, int place) const;

 private:
  Children children_;
  Towards towards_;
};

/// A tree topology applied to virtual ranks 0 to size - 1.
class Tree {
 public:
  struct Node {
    int parent = -1;  ///< -1 at the root
    Subtree subtree;
    std::vector<Subtree> children;  ///< in the order of a broadcast's sends
    /// The children by ascending virtual rank: together they follow the root without a gap.
    std::vector<Subtree> children_by_place() const;
  };

  Tree(TreeTopology shape, int size) : shape_(std::move(shape)), size_(size) {}
  int size() const { return size_; }
  /// Found by descent from the root, without building the whole tree.
  Node node(int place) const;

 private:
  TreeTopology shape_;
  int size_;
};

}  // namespace tombolo
