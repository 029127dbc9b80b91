#include <algorithm>
#include <stdexcept>

#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

Subtree TreeTopology::towards(Subtree whole, int place) const {
  if (towards_) return towards_(whole, place);
  for (const Subtree& child : children_(whole)) {
    if (child.covers(place)) return child;
  }
  throw std::logic_error("a shape leaves out a place of its subtree");
}

Tree::Node Tree::node(int place) const {
  Node at{-1, {0, size_}, {}};
  while (at.subtree.top != place) {
    at.parent = at.subtree.top;
    at.subtree = shape_.towards(at.subtree, place);
  }
  at.children = shape_.children(at.subtree);
  return at;
}

std::vector<Subtree> Tree::Node::children_by_place() const {
  std::vector<Subtree> sorted = children;
  std::sort(sorted.begin(), sorted.end(), [](Subtree a, Subtree b) { return a.top < b.top; });
  return sorted;
}

}  // namespace tombolo
