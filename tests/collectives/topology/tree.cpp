#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/topology/tree.hpp>

using namespace tombolo;

namespace {

struct Known {
  std::string name;
  TreeTopology shape;
  std::function<int(int)> depth;
  int most_children;
};

int floor_log2(int n) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(n))) - 1;
}
int ceil_log2(int n) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(n) - 1));
}

// The least number of levels d with sizes(d) >= n.
int levels(int n, const std::function<std::int64_t(int)>& sizes) {
  int d = 0;
  while (sizes(d) < n) ++d;
  return d;
}
std::int64_t power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
std::int64_t complete(int radix, int depth) {
  return depth == 0 ? 1 : 1 + radix * complete(radix, depth - 1);
}

std::vector<Known> all_shapes() {
  std::vector<Known> shapes{
      {"flat", flat_tree(), [](int n) { return n > 1 ? 1 : 0; }, 1 << 20},
      {"chain", chain_tree(), [](int n) { return n - 1; }, 1},
      {"binary", binary_tree(), floor_log2, 2},
      {"binomial", binomial_tree(), ceil_log2, 32},
  };
  for (const int radix : {2, 3, 4, 5, 16, 200}) {
    const auto nomial_depth = [radix](int n) { return levels(n, [radix](int d) { return power(radix, d); }); };
    const auto ary_depth = [radix](int n) { return levels(n, [radix](int d) { return complete(radix, d); }); };
    shapes.push_back(
        {"k_nomial " + std::to_string(radix), k_nomial_tree({.radix = radix}), nomial_depth, 8 * (radix - 1)});
    shapes.push_back({"k_ary " + std::to_string(radix), k_ary_tree({.radix = radix}), ary_depth, radix});
  }
  for (const int delay : {1, 2, 3, 7, 500}) {
    shapes.push_back({"postal " + std::to_string(delay), postal_tree({.delay = delay}), ceil_log2, 1 << 20});
  }
  return shapes;
}

// When the last place knows where each begins to send once a unit and what it sends is known `delay` units later.
int postal_time(const Tree& tree, int place, int now, int delay) {
  int last = now;
  for (const Subtree& child : tree.node(place).children) {
    last = std::max(last, postal_time(tree, child.top, now + delay, delay));
    ++now;
  }
  return last;
}

}  // namespace

TEST_CASE("every place has one parent, subtrees are consecutive, and depth and degree are what the shape says") {
  for (const Known& known : all_shapes()) {
    for (int size = 1; size <= 130; ++size) {
      INFO(known.name << " of " << size);
      const Tree tree(known.shape, size);
      std::vector<int> depth(static_cast<std::size_t>(size), 0);
      int deepest = 0;
      for (int place = 0; place < size; ++place) {
        const Tree::Node node = tree.node(place);
        CHECK(node.subtree.top == place);
        CHECK((node.parent < place && (node.parent >= 0 || place == 0)));
        if (place > 0) depth[static_cast<std::size_t>(place)] = depth[static_cast<std::size_t>(node.parent)] + 1;
        deepest = std::max(deepest, depth[static_cast<std::size_t>(place)]);
        CHECK(static_cast<int>(node.children.size()) <= known.most_children);
        int next = place + 1;
        for (const Subtree& child : node.children_by_place()) {
          CHECK(child.top == next);
          CHECK(tree.node(child.top).parent == place);
          CHECK(known.shape.towards(node.subtree, child.top) == child);
          CHECK(known.shape.towards(node.subtree, child.end() - 1) == child);
          CHECK(tree.node(child.top).subtree == child);
          next = child.end();
        }
        CHECK(next == node.subtree.end());
      }
      CHECK(deepest <= known.depth(size));
    }
  }
}

TEST_CASE("a shape may split at borders first, as trees over clusters do") {
  // Two clusters, places 0 to 4 and 5 to 8: the root serves the other cluster's first place, then its own binomially.
  const TreeTopology two_levels = [](Subtree whole) {
    std::vector<Subtree> children;
    if (whole.top == 0 && whole.size == 9) children.push_back({5, 4});
    const Subtree own = whole.top == 0 && whole.size == 9 ? Subtree{0, 5} : whole;
    for (const Subtree& child : binomial_tree().children(own)) children.push_back(child);
    return children;
  };
  const Tree tree(two_levels, 9);
  CHECK(tree.node(5).parent == 0);
  CHECK(tree.node(7).parent == 5);
  CHECK(tree.node(4).parent == 0);
}

TEST_CASE("a radix of 2 is the binary and the binomial tree, a delay of 1 the binomial, a long one the flat") {
  for (int size = 1; size <= 70; ++size) {
    for (int place = 0; place < size; ++place) {
      const auto children = [&](const TreeTopology& shape) { return Tree(shape, size).node(place).children; };
      CHECK(children(k_nomial_tree({.radix = 2})) == children(binomial_tree()));
      CHECK(children(postal_tree({.delay = 1})) == children(binomial_tree()));
      CHECK(children(k_ary_tree({.radix = 2})) == children(binary_tree()));
      CHECK(children(k_nomial_tree({})) == children(k_nomial_tree({.radix = k_nomial_radix})));
      CHECK(Tree(postal_tree({.delay = size}), size).node(place).children_by_place() ==
            Tree(flat_tree(), size).node(place).children_by_place());
    }
  }
}

TEST_CASE("a postal tree informs as many places in any time as can be") {
  for (const int delay : {1, 2, 3, 5, 8}) {
    std::vector<int> known{1};  // by time: N(t) = N(t-1) + N(t-delay)
    for (int t = 1; known.back() < 200; ++t)
      known.push_back(known.back() + (t < delay ? 0 : known[static_cast<std::size_t>(t - delay)]));
    for (int size = 1; size <= 200; ++size) {
      const auto best = std::lower_bound(known.begin(), known.end(), size) - known.begin();
      INFO("delay " << delay << ", size " << size);
      CHECK(postal_time(Tree(postal_tree({.delay = delay}), size), 0, 0, delay) == best);
    }
  }
}

TEST_CASE("a place of a deep or wide tree is found without walking past all others") {
  int calls = 0;
  const TreeTopology chain = chain_tree();
  const TreeTopology counted({[&](Subtree whole) {
                                ++calls;
                                return chain.children(whole);
                              },
                              [&](Subtree whole, int place) { return chain.towards(whole, place); }});
  CHECK(Tree(counted, 4096).node(4095).parent == 4094);
  CHECK(calls == 1);
}
