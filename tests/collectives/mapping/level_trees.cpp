#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/level_trees.hpp>

#include "collectives/mapping/landscapes.hpp"

using namespace tombolo;

TEST_CASE("every level of a landscape is a tree with a top for each of its groups") {
  // Rank 0 to 4 are on a host each, 5 to 7 on the first, the second and the fourth, 8 on the fourth.
  const Landscape hosts(clusters_of_hosts({{2, 2, 1}, {3, 1}}));
  const std::vector<MappedTrees> all = cluster_trees(hosts);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name() == "2 groups");
  CHECK(all[0].tree(0).tops() == std::vector<Rank>{0, 3});
  CHECK(all[1].name() == "5 groups");
  CHECK(all[1].tree(0).tops() == std::vector<Rank>{0, 1, 2, 3, 4});
}

TEST_CASE("there is none where groups are one or of one rank each") {
  CHECK(cluster_trees(Landscape(1)).empty());
  CHECK(cluster_trees(Landscape(7)).empty());
  CHECK(cluster_trees(Landscape(clusters_of_hosts({{1}, {1}, {1}}))).empty());
  CHECK(cluster_trees(Landscape(clusters_of_hosts({{1, 1}, {1}}))).size() == 1);
}

TEST_CASE("trees of groups are few, and each has all ranks of a group below one of them") {
  std::mt19937 random(8);
  for (int ranks = 2; ranks <= 60; ++ranks) {
    const Landscape landscape(test::random_clusters(ranks, random));
    const std::vector<MappedTrees> all = cluster_trees(landscape);
    CHECK(all.size() <= 3);
    for (const MappedTrees& trees : all) {
      const RankTree& tree = trees.tree(0);
      CHECK(tree.tops().size() > 1);
      CHECK(static_cast<int>(tree.tops().size()) < ranks);
      for (const Landscape::Group& group : landscape.whole().children) {
        for (const Rank top : tree.tops()) {
          const Subtree below = tree.subtree(tree.place(top));
          const bool inside = std::binary_search(group.ranks.begin(), group.ranks.end(), top);
          for (int place = below.top; place < below.top + below.size; ++place) {
            CHECK(std::binary_search(group.ranks.begin(), group.ranks.end(),
                                     tree.order()[static_cast<std::size_t>(place)]) == inside);
          }
        }
      }
    }
  }
}
