#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

TEST_CASE("every level of a hierarchy is a partition of the ranks") {
  // Rank 0 to 4 are on a host each, 5 to 7 on the first, the second and the fourth, 8 on the fourth.
  const Hierarchy hosts(clusters_of_hosts({{2, 2, 1}, {3, 1}}));
  const std::vector<NestedGroups> all = cluster_groups(hosts);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name() == "2 groups");
  CHECK(all[0].partitions() == std::vector<Partition>{{{0, 1, 2, 5, 6}, {3, 4, 7, 8}}});
  CHECK(all[1].name() == "5 groups");
  CHECK(all[1].partitions().front().size() == 5);
}

TEST_CASE("there is none where groups are one or of one rank each") {
  CHECK(cluster_groups(Hierarchy(1)).empty());
  CHECK(cluster_groups(Hierarchy(7)).empty());
  CHECK(cluster_groups(Hierarchy(clusters_of_hosts({{1}, {1}, {1}}))).empty());
  CHECK(cluster_groups(Hierarchy(clusters_of_hosts({{1, 1}, {1}}))).size() == 1);
}

TEST_CASE("candidates of groups are few, and each has all ranks of an outermost group in groups of its own") {
  std::mt19937 random(8);
  for (int ranks = 2; ranks <= 60; ++ranks) {
    const Hierarchy hierarchy(test::random_clusters(ranks, random));
    const std::vector<NestedGroups> all = cluster_groups(hierarchy);
    CHECK(all.size() <= 3);
    for (const NestedGroups& groups : all) {
      REQUIRE(groups.partitions().size() == 1);
      const Partition& partition = groups.partitions().front();
      CHECK(partition.size() > 1);
      CHECK(static_cast<int>(partition.size()) < ranks);
      for (const Hierarchy::Group& outer : hierarchy.whole().children) {
        const auto inside = [&](Rank rank) { return std::binary_search(outer.ranks.begin(), outer.ranks.end(), rank); };
        for (const std::vector<Rank>& group : partition) {
          CHECK(std::all_of(group.begin(), group.end(), inside) == inside(group.front()));
          CHECK(std::any_of(group.begin(), group.end(), inside) == inside(group.front()));
        }
      }
    }
  }
}

TEST_CASE("algorithms over groups get those of all levels or of each, and no trees; others get no groups") {
  const Platform platform = clusters_of_hosts({{2, 2, 1}, {3, 1}});
  const Hierarchy hosts(platform);
  const Lmo model = RandomModels(platform, 1).lmo(true);
  const Request blocks = Request::allgatherv(Blocks::equal(9, 8), 8);
  const Request pairs = Request::alltoallv(9, AlltoallCounts::equal(9, 1), 8);
  const auto all = groups_for(blocks, allgatherv_relays, model, hosts);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name() == "all levels");
  CHECK(all[0].levels() == 3);
  CHECK(all[1].name() == "clusters");
  CHECK(groups_for(pairs, alltoallv_clusters, model, hosts) == cluster_groups(hosts));
  CHECK(groups_for(pairs.knowing(Knowledge::as_in_mpi), alltoallv_clusters, model, hosts).empty());
  CHECK(groups_for(blocks, allgatherv_leaders, model, hosts).empty());
  CHECK(groups_for(blocks, allgatherv_relays, model, Hierarchy(9)).empty());
  CHECK(trees_for(blocks, allgatherv_relays, model, hosts, 64).empty());
}
