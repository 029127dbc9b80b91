#include <algorithm>
#include <stdexcept>

#include <tombolo/collectives/tree.hpp>

namespace tombolo {

Tree::Node Tree::node(int place) const {
  Node at{-1, {0, size_}, shape_({0, size_})};
  while (at.subtree.top != place) {
    const auto next = std::find_if(at.children.begin(), at.children.end(),
                                   [place](Subtree s) { return s.top <= place && place < s.end(); });
    if (next == at.children.end()) throw std::logic_error("a shape leaves out a place of its subtree");
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
