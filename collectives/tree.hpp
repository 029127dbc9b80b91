#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tombolo {

/// A subtree: the place at its top and how many places it covers, itself included. They are consecutive.
struct Subtree {
  int top = 0;
  int size = 0;
  int end() const { return top + size; }
  bool covers(int place) const { return top <= place && place < end(); }
  bool operator==(const Subtree&) const = default;
};

/// The shape of a tree: given a subtree, the subtrees below its top, in the order in which a broadcast serves them.
/// Every subtree covers consecutive places, so one shape serves bcast, scatterv, gatherv and reduce alike (also with
/// operands that must stay in order), and a multilevel tree is a shape that splits at the borders of clusters first.
class Shape {
 public:
  using Children = std::function<std::vector<Subtree>(Subtree)>;
  using Towards = std::function<Subtree(Subtree, int)>;

  /// From a function that says what is below the top of a subtree.
  template <class F>
    requires(std::is_invocable_r_v<std::vector<Subtree>, F, Subtree> && !std::same_as<std::decay_t<F>, Shape>)
  Shape(F children) : children_(std::move(children)) {}  // NOLINT(google-explicit-constructor)
  /// And one that says faster which of these covers a place, where a top has many or the tree is deep.
  Shape(Children children, Towards towards) : children_(std::move(children)), towards_(std::move(towards)) {}

  std::vector<Subtree> children(Subtree whole) const { return children_(whole); }
  /// The one of them that covers the place, which is below the top.
  Subtree towards(Subtree whole, int place) const;

 private:
  Children children_;
  Towards towards_;
};

/// A shape drawn over places 0 to size - 1.
class Tree {
 public:
  struct Node {
    int parent = -1;  ///< -1 at the root
    Subtree subtree;
    std::vector<Subtree> children;  ///< in the order in which a broadcast serves them
    /// The same from the nearest place to the farthest: together they follow the top without a gap.
    std::vector<Subtree> children_by_place() const;
  };

  Tree(Shape shape, int size) : shape_(std::move(shape)), size_(size) {}
  int size() const { return size_; }
  /// Found by walking down from the root: no place needs to know the whole tree.
  Node node(int place) const;

 private:
  Shape shape_;
  int size_;
};

}  // namespace tombolo
