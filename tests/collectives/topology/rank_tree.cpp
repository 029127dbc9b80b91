#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/topology/rank_tree.hpp>
#include <tombolo/collectives/topology/tree.hpp>

#include "collectives/random_trees.hpp"

using namespace tombolo;

TEST_CASE("parents, children and subtrees of any tree agree, and upwards is downwards reversed") {
  std::mt19937 random(1);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (const int tops : {1, 2, 5}) {
      const RankTree tree = test::random_tree(ranks, ranks / 3, tops, random);
      CHECK(tree.roots().size() == static_cast<std::size_t>(std::min(tops, ranks)));
      CHECK(tree.roots().front() == ranks / 3);
      std::vector<int> parents_of(static_cast<std::size_t>(ranks), 0);
      for (Rank rank = 0; rank < ranks; ++rank) {
        const Role down = tree.role(rank, Direction::down);
        const Role up = tree.role(rank, Direction::up);
        CHECK(std::equal(down.children.begin(), down.children.end(), up.children.rbegin(), up.children.rend()));
        CHECK(up.parent == down.parent);
        const Tree::Node node = tree.node(tree.place(rank));
        int size = 1;
        for (std::size_t i = 0; i < node.children.size(); ++i) {
          const Subtree child = node.children[i];
          CHECK(child.top == node.subtree.top + size);
          CHECK(tree.order()[static_cast<std::size_t>(child.top)] == down.children[i]);
          CHECK(tree.role(down.children[i], Direction::down).parent == rank);
          ++parents_of[static_cast<std::size_t>(down.children[i])];
          size += child.size;
        }
        CHECK(size == node.subtree.size);
      }
      std::vector<Rank> below;
      for (const std::vector<Rank>& ranks_below : tree.ranks_by_root()) {
        CHECK(tree.root_index(ranks_below.front()) < static_cast<int>(tree.roots().size()));
        CHECK(tree.subtree(tree.place(ranks_below.front())).size == static_cast<int>(ranks_below.size()));
        below.insert(below.end(), ranks_below.begin(), ranks_below.end());
      }
      CHECK(below == tree.order());
      for (const Rank top : tree.roots()) {
        CHECK(tree.role(top, Direction::up).parent == nobody);
        ++parents_of[static_cast<std::size_t>(top)];
      }
      CHECK(parents_of == std::vector<int>(static_cast<std::size_t>(ranks), 1));
      CHECK(RankTree(tree.order(), tree.parents()) == tree);
    }
  }
}

TEST_CASE("a shape over ranks is the shape") {
  const RankTree tree = RankTree::of_shape(binomial_tree(), {3, 1, 0, 2});
  CHECK(tree.order() == std::vector<Rank>{3, 0, 2, 1});
  CHECK(tree.parents() == std::vector<int>{-1, 0, 1, 0});
}

TEST_CASE("what is no tree in preorder is refused") {
  CHECK_THROWS_WITH(RankTree({0, 0}, {-1, 0}), Catch::Contains("rank 0 at place 1"));
  CHECK_THROWS_WITH(RankTree({0, 2}, {-1, 0}), Catch::Contains("rank 2 at place 1"));
  CHECK_THROWS_WITH(RankTree({0, 1}, {-1}), Catch::Contains("1 parents of 2 places"));
  CHECK_THROWS_WITH(RankTree({0, 1}, {0, 0}), Catch::Contains("parent 0 of place 0"));
  CHECK_THROWS_WITH(RankTree({0, 1}, {-1, -2}), Catch::Contains("parent -2 of place 1"));
  CHECK_THROWS_WITH(RankTree({0, 1, 2, 3}, {-1, 0, 0, 1}), Catch::Contains("parent 1 of place 3"));
  CHECK_THROWS_WITH(RankTree({0, 1, 2}, {-1, -1, 0}), Catch::Contains("parent 0 of place 2"));
  CHECK_THROWS_WITH(RankTree::of_children({0}, {{}, {}}), Catch::Contains("reaches 1 of 2"));
  CHECK_THROWS_WITH(RankTree::of_children({0}, {{1, 1}, {0}}), Catch::Contains("of 2 ranks"));
}
