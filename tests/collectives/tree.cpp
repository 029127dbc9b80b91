#include <bit>
#include <map>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/shapes.hpp>
#include <tombolo/collectives/tree.hpp>

using namespace tombolo;

namespace {

struct Known {
  const char* name;
  Shape shape;
  int (*depth)(int);
  int most_children;
};

int floor_log2(int n) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(n))) - 1;
}
int ceil_log2(int n) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(n) - 1));
}

const std::vector<Known> shapes{
    {"flat", flat_shape, [](int n) { return n > 1 ? 1 : 0; }, 1 << 20},
    {"chain", chain_shape, [](int n) { return n - 1; }, 1},
    {"binary", binary_shape, floor_log2, 2},
    {"binomial", binomial_shape, ceil_log2, 32},
};

}  // namespace

TEST_CASE("every place has one parent, subtrees are consecutive, and depth and degree are what the shape says") {
  for (const Known& known : shapes) {
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
  const Shape two_levels = [](Subtree whole) {
    std::vector<Subtree> children;
    if (whole.top == 0 && whole.size == 9) children.push_back({5, 4});
    const Subtree own = whole.top == 0 && whole.size == 9 ? Subtree{0, 5} : whole;
    for (const Subtree& child : binomial_shape(own)) children.push_back(child);
    return children;
  };
  const Tree tree(two_levels, 9);
  CHECK(tree.node(5).parent == 0);
  CHECK(tree.node(7).parent == 5);
  CHECK(tree.node(4).parent == 0);
}
