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
  std::ranges::sort(sorted, [](Subtree a, Subtree b) { return a.top < b.top; });
  return sorted;
}

namespace {

// The largest power of the radix below `size`, which is at least 2.
int span_below(int size, int radix) {
  std::int64_t span = 1;
  while (span * radix < size) span *= radix;
  return static_cast<int>(span);
}

TreeTopology k_ary(int radix) {
  // The far parts are the larger ones and come first.
  const auto children = [radix](Subtree whole) {
    std::vector<Subtree> parts;
    int left = whole.size - 1;
    for (int more = radix; more > 0 && left > 0; --more) {
      const int size = (left + more - 1) / more;
      left -= size;
      parts.push_back({whole.top + 1 + left, size});
    }
    return parts;
  };
  const auto towards = [radix](Subtree whole, int place) -> Subtree {
    const int small = (whole.size - 1) / radix;
    const int in_small = (radix - (whole.size - 1) % radix) * small;
    const int first = whole.top + 1;
    const int at = place - first;
    if (at < in_small) return {first + at / small * small, small};
    return {first + in_small + (at - in_small) / (small + 1) * (small + 1), small + 1};
  };
  return {children, towards};
}

TreeTopology k_nomial(int radix) {
  const auto children = [radix](Subtree whole) {
    std::vector<Subtree> parts;
    for (int size = whole.size; size > 1;) {
      const int span = span_below(size, radix);
      const auto level = static_cast<std::ptrdiff_t>(parts.size());
      for (int at = (size - 1) / span * span; at > 0; at -= span) {
        parts.push_back({whole.top + at, std::min(span, size - at)});
      }
      // The incomplete part at the far end is the smallest and can wait longest.
      const auto farthest = parts.begin() + level;
      if (farthest->size < span) std::rotate(farthest, farthest + 1, parts.end());
      size = span;
    }
    return parts;
  };
  const auto towards = [radix](Subtree whole, int place) -> Subtree {
    const int at = place - whole.top;
    int size = whole.size;
    int span = span_below(size, radix);
    while (at < span) {
      size = span;
      span /= radix;
    }
    const int first = at / span * span;
    return {whole.top + first, std::min(span, size - first)};
  };
  return {children, towards};
}

// Distinct values of N(t) of the postal model from 1 on, up to the first that reaches `size`.
std::vector<int> growth(int size, int delay) {
  std::vector<int> known{1};
  while (known.back() < size) {
    const std::size_t step = known.size();
    const auto wait = static_cast<std::size_t>(delay);
    const std::int64_t next = std::int64_t{known.back()} + (step > wait ? known[step - wait] : 1);
    known.push_back(static_cast<int>(std::min<std::int64_t>(next, size)));
  }
  return known;
}

TreeTopology postal(int delay) {
  return [delay](Subtree whole) {
    const std::vector<int> known = growth(whole.size, std::min(delay, whole.size));
    std::vector<Subtree> parts;
    int size = whole.size;
    // After a send the root keeps the virtual ranks reachable in one unit less.
    for (std::size_t step = known.size() - 1; step > 0; --step) {
      const int kept = known[step - 1];
      parts.push_back({whole.top + kept, size - kept});
      size = kept;
    }
    return parts;
  };
}

int given_or(int given, int own, int least) {
  return std::max(given > 0 ? given : own, least);
}

}  // namespace

TreeTopology flat_tree(const TreeOptions&) {
  const auto children = [](Subtree whole) {
    std::vector<Subtree> parts;
    for (int place = whole.top + 1; place < whole.end(); ++place) parts.push_back({place, 1});
    return parts;
  };
  return {children, [](Subtree, int place) -> Subtree { return {place, 1}; }};
}

TreeTopology chain_tree(const TreeOptions&) {
  const auto towards = [](Subtree whole, int) -> Subtree { return {whole.top + 1, whole.size - 1}; };
  const auto children = [towards](Subtree whole) {
    return whole.size > 1 ? std::vector<Subtree>{towards(whole, whole.top + 1)} : std::vector<Subtree>{};
  };
  return {children, towards};
}

TreeTopology binary_tree(const TreeOptions&) {
  return k_ary(2);
}

TreeTopology k_ary_tree(const TreeOptions& options) {
  return k_ary(given_or(options.radix, k_ary_radix, 2));
}

TreeTopology binomial_tree(const TreeOptions&) {
  return k_nomial(2);
}

TreeTopology k_nomial_tree(const TreeOptions& options) {
  return k_nomial(given_or(options.radix, k_nomial_radix, 2));
}

TreeTopology postal_tree(const TreeOptions& options) {
  return postal(given_or(options.delay, postal_delay, 1));
}

}  // namespace tombolo
