#include <algorithm>
#include <numeric>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/rotated_trees.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/units.hpp>

#include "collectives/mapping/hierarchies.hpp"

using namespace tombolo;

namespace {

// The sends of each rank in all trees.
std::vector<int> sends(const MappedTrees& trees) {
  std::vector<int> sends(static_cast<std::size_t>(trees.ranks()), 0);
  for (const MappedTrees::Weighted& each : trees.all()) {
    for (Rank rank = 0; rank < trees.ranks(); ++rank)
      sends[static_cast<std::size_t>(rank)] += static_cast<int>(each.tree.role(rank, Direction::down).children.size());
  }
  return sends;
}

}  // namespace

TEST_CASE("rotated trees enter every cluster once, from a root that sends once, over any clusters") {
  std::mt19937 random(5);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Hierarchy hierarchy(platform);
    const auto clusters = static_cast<int>(hierarchy.clusters().size());
    for (const int trees : {1, 3, 7, 41}) {
      for (const int senders : {1, 3}) {
        for (const Rank root : {nobody, ranks / 2}) {
          const MappedTrees all = rotated_trees(
              "rotated", hierarchy, root, {.trees = trees, .inside = k_nomial_tree({.radix = 4}), .senders = senders});
          REQUIRE(all.size() == trees);
          for (const MappedTrees::Weighted& each : all.all()) {
            CHECK(each.tree.roots().size() == 1);
            CHECK(each.weight == 1);
            const int crossings = test::crossings(each.tree, hierarchy.clusters());
            if (root == nobody) {
              CHECK(crossings == clusters - 1);
              continue;
            }
            CHECK(each.tree.roots().front() == root);
            CHECK(each.tree.role(root, Direction::down).children.size() == (ranks > 1 ? 1 : 0));
            // The root's own cluster is entered from the hub.
            CHECK((crossings == clusters - 1 || crossings == clusters));
          }
        }
      }
    }
  }
}

TEST_CASE("in as many trees as ranks all ranks but the root send equally much") {
  const Hierarchy hierarchy(
      clusters_of_hosts({std::vector<int>(6, 1), std::vector<int>(6, 1), std::vector<int>(6, 1)}));
  for (const TreeTopology& inside : {flat_tree(), k_nomial_tree({.radix = 4}), binary_tree()}) {
    const std::vector<int> all =
        sends(rotated_trees("rotated", hierarchy, nobody, {.trees = 18, .inside = inside, .senders = 1}));
    CHECK(std::accumulate(all.begin(), all.end(), 0) == 18 * 17);
    CHECK(*std::ranges::max_element(all) - *std::ranges::min_element(all) <= 4);
  }
}

TEST_CASE("groups are hubs in proportion to their ranks, and several of a hub's ranks serve the others") {
  const Hierarchy hierarchy(clusters_of_hosts({{1, 1, 1, 1}, {1, 1}, {1, 1}, {1}, {1}, {1}}));
  const std::vector<const Hierarchy::Group*> clusters = hierarchy.clusters();
  const auto group_of = [&](Rank rank) {
    const auto has = [rank](const auto* group) { return std::ranges::binary_search(group->ranks, rank); };
    return std::ranges::find_if(clusters, has) - clusters.begin();
  };
  const MappedTrees all =
      rotated_trees("rotated", hierarchy, nobody, {.trees = 11, .inside = flat_tree(), .senders = 2});
  std::vector<int> hubs(6, 0);
  for (const MappedTrees::Weighted& each : all.all()) {
    const auto hub = group_of(each.tree.roots().front());
    ++hubs[static_cast<std::size_t>(hub)];
    std::size_t serving = 0;
    for (const Rank rank : clusters[static_cast<std::size_t>(hub)]->ranks) {
      serving += std::ranges::any_of(each.tree.role(rank, Direction::down).children,
                                     [&](Rank child) { return group_of(child) != hub; });
    }
    CHECK(serving == std::min<std::size_t>(2, clusters[static_cast<std::size_t>(hub)]->ranks.size()));
  }
  CHECK(hubs == std::vector<int>{4, 2, 2, 1, 1, 1});
}

TEST_CASE("from the root's cluster all trees cross one link between clusters at most, and its ranks take turns") {
  const Hierarchy hierarchy(clusters_of_hosts({{1, 1, 1, 1}, {1, 1}, {1}, {1, 1, 1}}));
  for (Rank root = 0; root < hierarchy.ranks(); ++root) {
    const MappedTrees all =
        rotated_trees("rotated", hierarchy, root, {.trees = 3, .inside = flat_tree(), .senders = 1, .from_root = true});
    const auto clusters = hierarchy.clusters();
    const auto home = std::ranges::find_if(
        clusters, [root](const auto* group) { return std::ranges::binary_search(group->ranks, root); });
    const bool alone = (*home)->ranks.size() == 1;
    std::set<Rank> serving;
    for (const MappedTrees::Weighted& each : all.all()) {
      CHECK(test::crossings(each.tree, clusters) == static_cast<int>(clusters.size()) - 1);
      const Rank first = each.tree.role(root, Direction::down).children.front();
      serving.insert(first);
      CHECK(std::ranges::binary_search((*home)->ranks, first) == !alone);
    }
    if (!alone) CHECK(serving.size() == std::min<std::size_t>(3, (*home)->ranks.size() - 1));
  }
}

TEST_CASE("plans over rotated trees are proved, whatever the size of the vector") {
  const Hierarchy hierarchy(clusters_of_hosts({{2, 1, 1}, {1, 1, 1, 1, 1}, {1}, {1, 1}}));
  for (const Algorithm* algorithm : {&bcast_mapped, &reduce_mapped, &allreduce_mapped}) {
    for (const bool from_root : {false, true})
      for (const std::int64_t count : {0, 1, 5, 97}) {
        const Request request = Request::of_vector(algorithm->operation, hierarchy.ranks(), 4, count, 1);
        Parameters parameters{.segment_bytes = count == 97 ? 3 : 0, .window = count == 97 ? 2 : 0};
        parameters.trees =
            rotated_trees("rotated", hierarchy, is_rooted(request.operation) ? 4 : nobody,
                          {.trees = 9, .inside = k_nomial_tree({.radix = 4}), .senders = 2, .from_root = from_root});
        CHECK(prove({request, *algorithm, parameters}).holds());
      }
  }
}
