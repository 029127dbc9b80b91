#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/relay_trees.hpp>
#include <tombolo/platform/description/members.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/mapping/sites.hpp"

using namespace tombolo;

TEST_CASE("every relay tree crosses to each cluster once, with and without a root, through any hub") {
  std::mt19937 random(3);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Hierarchy hierarchy(platform);
    std::vector<std::int64_t> rates;
    for (int rank = 0; rank < ranks; ++rank) rates.push_back(static_cast<std::int64_t>(1 + random() % 1000));
    for (const Hubs hubs : {Hubs::root, Hubs::others}) {
      for (const int trees : {1, 3, 8, 32}) {
        for (const Rank root : {nobody, ranks / 2}) {
          const MappedTrees all = relay_trees("relays", hierarchy, root, trees, hubs, rates);
          CHECK(all.size() == trees);
          for (const MappedTrees::Weighted& each : all.all()) {
            CHECK(each.tree.roots().size() == 1);
            if (root != nobody) CHECK(each.tree.roots().front() == root);
            CHECK(test::crossings(each.tree, hierarchy.clusters()) ==
                  static_cast<int>(hierarchy.clusters().size()) - 1);
            CHECK((each.weight >= 1 && each.weight <= 16));
          }
        }
      }
    }
  }
}

TEST_CASE("all ranks relay in turn, the root sends once a tree, and shares follow the slowest relay") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1}, {1, 1, 1}});
  const Hierarchy hierarchy(platform);
  const std::vector<Rank> first = hierarchy.clusters()[0]->ranks;
  const Rank root = first[0];
  std::vector<std::int64_t> rates(7, 800);
  rates[static_cast<std::size_t>(first[2])] = 400;
  const MappedTrees all = relay_trees("relays", hierarchy, root, 3, Hubs::root, rates);
  std::vector<int> serving(7, 0);
  for (const MappedTrees::Weighted& each : all.all()) {
    for (Rank rank = 0; rank < 7; ++rank)
      serving[static_cast<std::size_t>(rank)] += !each.tree.role(rank, Direction::down).children.empty();
    const Role top = each.tree.role(root, Direction::down);
    REQUIRE(top.children.size() == 1);
    CHECK(each.weight == (top.children.front() == first[2] ? 8 : 16));
  }
  for (Rank rank = 0; rank < 7; ++rank) CHECK(serving[static_cast<std::size_t>(rank)] == (rank == root ? 3 : 1));
}

TEST_CASE("through hubs every other cluster is reached first in as many trees") {
  const Hierarchy hierarchy(clusters_of_hosts({{1, 1}, {1, 1}, {1, 1}}));
  const MappedTrees all = relay_trees("hubs", hierarchy, 0, 4, Hubs::others, {});
  std::vector<int> hubs(3, 0);
  for (const MappedTrees::Weighted& each : all.all()) {
    for (std::size_t cluster = 0; cluster < 3; ++cluster) {
      for (const Rank rank : hierarchy.clusters()[cluster]->ranks) {
        for (const Rank child : each.tree.role(rank, Direction::down).children) {
          const auto& own = hierarchy.clusters()[cluster]->ranks;
          hubs[cluster] += !std::binary_search(own.begin(), own.end(), child);
        }
      }
    }
  }
  CHECK(hubs == std::vector<int>{4, 2, 2});
}

TEST_CASE("below no hub each outermost group has a relay at its top, another one in each tree") {
  const Hierarchy hierarchy(clusters_of_hosts({{1, 1, 1}, {1, 1, 1}}));
  const MappedTrees all = relay_trees("tops", hierarchy, nobody, 3, Hubs::none, {});
  std::set<Rank> tops;
  for (const MappedTrees::Weighted& each : all.all()) {
    CHECK(each.tree.roots().size() == 2);
    CHECK(test::crossings(each.tree, hierarchy.clusters()) == 0);
    for (const Rank top : each.tree.roots()) tops.insert(top);
  }
  CHECK(tops.size() == 6);
}

TEST_CASE("as many trees are balanced as let no rank serve its cluster more than once the vector, if that can be") {
  // 19 relays beside the root, as many as trees, or two trees of which every rank stands in the middle of one.
  const Hierarchy even(clusters_of_hosts({std::vector<int>(20, 1)}));
  CHECK(balanced_trees(even, 0, 11, 32) == 19);
  CHECK(balanced_trees(even, nobody, 11, 32) == 20);
  const int few = balanced_trees(even, 0, 2, 10);
  CHECK((few >= 2 && few <= 10));
  CHECK(balanced_trees(Hierarchy(1), 0, 2, 10) == 10);
}

TEST_CASE("trees that share out links cross to each cluster once, from any root") {
  std::mt19937 random(13);
  for (int ranks = 3; ranks <= 40; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Hierarchy hierarchy = Hierarchy(platform).of_clusters();
    const std::size_t clusters = hierarchy.clusters().size();
    if (clusters < 2) continue;
    const ClusterLinks links(platform, all_in_order(ranks));
    for (const int trees : {1, 5, 12}) {
      for (const Rank root : {nobody, 0, ranks / 2}) {
        const MappedTrees all = link_sharing_trees("shared", hierarchy, links, root, trees, 1 << 20);
        CHECK(all.size() == trees);
        for (const MappedTrees::Weighted& each : all.all()) {
          REQUIRE(each.tree.roots().size() == 1);
          if (root != nobody) CHECK(each.tree.roots().front() == root);
          CHECK(test::crossings(each.tree, hierarchy.clusters()) == static_cast<int>(clusters) - 1);
        }
      }
    }
  }
}

namespace {

// The trees in which data pass between two clusters of which `between` is true.
template <class Between>
int trees_between(const MappedTrees& all, const ClusterLinks& links, Between between) {
  int number = 0;
  for (const MappedTrees::Weighted& each : all.all()) {
    for (Rank rank = 0; rank < all.ranks(); ++rank) {
      for (const Rank child : each.tree.role(rank, Direction::down).children) {
        number += between(links.cluster_of(rank), links.cluster_of(child)) ? 1 : 0;
      }
    }
  }
  return number;
}

}  // namespace

TEST_CASE("a thin link carries few of the trees that share out links") {
  const Platform platform = test::sites({2, 2, 2}, [](int a, int b) {
    return BytesPerSecond{a == 0 && b == 2 ? 5'000'000 : a == 0 ? 60'000'000 : 40'000'000};
  });
  const ClusterLinks links(platform, all_in_order(6));
  const Hierarchy hierarchy = Hierarchy(platform).of_clusters();
  const MappedTrees all = link_sharing_trees("shared", hierarchy, links, nobody, 18, 1 << 20);
  const int thin = trees_between(all, links, [](int a, int b) { return a != b && a != 1 && b != 1; });
  CHECK((thin >= 1 && thin <= 2));  // two of 18, at 5 of 45 MB/s
}

TEST_CASE("trees that share out links pass the uplink of several clusters once, from any root") {
  // Clusters 2 and 3 are at one site, whose uplink is thinner than each of their links.
  Platform platform = test::sites({3, 2, 2, 3}, [](int, int) { return BytesPerSecond{30'000'000}; });
  Level site;
  site.name = "site";
  site.kind = Level::Kind::group;
  site.uplink = {10'000'000, 0};
  for (const std::size_t cluster : {2U, 3U}) {
    site.children.push_back(platform.levels.children[cluster]);
    const std::vector<Rank>& ranks = site.children.back().ranks;
    site.ranks.insert(site.ranks.end(), ranks.begin(), ranks.end());
  }
  std::ranges::sort(site.ranks);
  platform.levels.children.resize(2);
  platform.levels.children.push_back(site);
  const ClusterLinks links(platform, all_in_order(10));
  const Hierarchy hierarchy = Hierarchy(platform).of_clusters();
  for (const Rank root : {nobody, 0, site.ranks.front()}) {
    const MappedTrees all = link_sharing_trees("shared", hierarchy, links, root, 12, 1 << 20);
    CHECK(trees_between(all, links, [](int a, int b) { return (a < 2) != (b < 2); }) == 12);
  }
}
