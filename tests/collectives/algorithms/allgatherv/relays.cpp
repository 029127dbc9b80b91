// That a proved plan also sends no block twice over a link between clusters, nor into a group of clusters.

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/plan/plan.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/operations/crossing.hpp"
#include "collectives/requests.hpp"

using namespace tombolo;
using test::crossing;
using test::owned;
using test::Spread;

TEST_CASE("each block crosses once to each other cluster, straight from its own, whatever the clusters' sizes") {
  std::mt19937 random(8);
  for (int ranks = 2; ranks <= 48; ranks += 1 + ranks / 8) {
    const Hierarchy hierarchy(test::random_clusters(ranks, random));
    const auto clusters = hierarchy.clusters();
    if (clusters.size() < 2) continue;
    for (const Spread spread : {Spread::equal, Spread::uneven, Spread::one}) {
      const Request request = test::request(Operation::allgatherv, ranks, 0, spread, random);
      for (const NestedGroups& groups : level_groups(hierarchy)) {
        for (const Bytes segment : {0, 16}) {
          const Plan plan(request, allgatherv_relays, {.segment_bytes = segment, .groups = groups});
          INFO(plan.describe());
          for (const Hierarchy::Group* to : clusters) {
            for (const Hierarchy::Group* from : clusters) {
              if (from != to) CHECK(crossing(plan, *from, *to) == owned(request, *from));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("where clusters are in groups, each block crosses once to each other group") {
  const Hierarchy hierarchy(test::two_sites());
  const std::vector<NestedGroups> all = level_groups(hierarchy);
  REQUIRE(all.size() == 2);
  REQUIRE(all.front().levels() == 3);
  const Request request = Request::allgatherv(Blocks({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}), 8);
  const Plan plan(request, allgatherv_relays, {.segment_bytes = 8, .groups = all.front()});
  const auto& sites = hierarchy.whole().children;
  CHECK(crossing(plan, sites[0], sites[1]) == owned(request, sites[0]));
  CHECK(crossing(plan, sites[1], sites[0]) == owned(request, sites[1]));
  for (const Hierarchy::Group* cluster : hierarchy.clusters()) {
    CHECK(crossing(plan, hierarchy.whole(), *cluster) ==
          request.blocks.total() * static_cast<std::int64_t>(cluster->ranks.size()) - owned(request, *cluster));
  }
}
