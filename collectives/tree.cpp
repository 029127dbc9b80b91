#include <algorithm>

#include <tombolo/collectives/tree.hpp>

namespace tombolo {

Tree::Node Tree::node(int place) const {
  Node at{-1, {0, size_}, shape_({0, size_})};
  while (at.subtree.top != place) {
    const auto next = std::find_if(at.children.begin(), at.children.end(),
                                   [place](Subtree s) { return s.top <= place && place < s.end(); });
    at = Node{at.subtree.top, *next, shape_(*next)};
  }
  return at;
}

std::vector<Subtree> Tree::Node::children_by_place() const {
  std::vector<Subtree> sorted = children;
  std::sort(sorted.begin(), sorted.end(), [](Subtree a, Subtree b) { return a.top < b.top; });
  return sorted;
}

}  // namespace tombolo
