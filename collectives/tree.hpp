#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace tombolo {

/// A subtree: the place at its top and how many places it covers, itself included. They are consecutive.
struct Subtree {
  int top = 0;
  int size = 0;
  int end() const { return top + size; }
  bool operator==(const Subtree&) const = default;
};

/// The shape of a tree: given a subtree, the subtrees below its top, in the order in which a broadcast serves them.
/// Every subtree covers consecutive places, so one shape serves bcast, scatterv, gatherv and reduce alike (also with
/// operands that must stay in order), and a multilevel tree is a shape that splits at the borders of clusters first.
using Shape = std::function<std::vector<Subtree>(Subtree)>;

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
