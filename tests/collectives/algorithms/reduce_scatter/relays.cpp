// That a proved plan also sends no sum twice over a link between clusters, nor out of a group of clusters.

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>

#include "collectives/choose_by_model.hpp"
#include "collectives/mapping/hierarchies.hpp"
#include "collectives/operations/crossing.hpp"
#include "collectives/random_trees.hpp"
#include "collectives/requests.hpp"
#include "models/figured_platform.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::check;
using test::crossing;
using test::owned;
using test::Spread;

namespace {

// Each cluster the ranks that are alike by that number.
NestedGroups cyclic(int ranks, int clusters) {
  Partition partition(static_cast<std::size_t>(clusters));
  for (Rank rank = 0; rank < ranks; ++rank) partition[static_cast<std::size_t>(rank % clusters)].push_back(rank);
  return {"cyclic", {std::move(partition)}};
}

}  // namespace

TEST_CASE("one sum of each block crosses from each other cluster, whatever the clusters' sizes") {
  test::check_crossings(Operation::reduce_scatter, reduce_scatter_relays, test::Owner::receiver);
}

TEST_CASE("where clusters are in groups, one sum of each block leaves each other group") {
  const Hierarchy hierarchy(test::two_sites());
  const std::vector<NestedGroups> all = level_groups(hierarchy);
  REQUIRE(all.size() == 3);  // of all levels, clusters, sites
  REQUIRE(all.front().levels() == 3);
  const Blocks blocks({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8});
  for (const bool commutative : {true, false}) {
    const Request request = Request::reduce_scatter(blocks, 8, commutative);
    const Plan plan(request, reduce_scatter_relays, {.segment_bytes = 8, .groups = all.front()});
    check(plan);
    const auto& sites = hierarchy.whole().children;
    CHECK(crossing(plan, sites[0], sites[1]) == owned(request, sites[1]));
    CHECK(crossing(plan, sites[1], sites[0]) == owned(request, sites[0]));
    const Plan by_sites(request, reduce_scatter_relays, {.segment_bytes = 8, .groups = all.back()});
    check(by_sites);
    CHECK(crossing(by_sites, sites[0], sites[1]) == owned(request, sites[1]));
  }
}

TEST_CASE("operands that do not commute keep their order, where ranks of a cluster are not consecutive too") {
  for (const int ranks : {3, 7, 12, 17}) {
    for (const bool in_place : {false, true}) {
      const Request request = Request::reduce_scatter(Blocks::shared_out(ranks, 100), 8, false).with_in_place(in_place);
      check(Plan(request, reduce_scatter_relays, {.segment_bytes = 32, .window = 2, .groups = cyclic(ranks, 3)}));
      check(Plan(request, reduce_scatter_relays, {.segment_bytes = 32, .window = 2}));
    }
  }
}

TEST_CASE("operands that do not commute keep their order over groups of any form") {
  std::mt19937 random(13);
  for (int ranks = 1; ranks <= 24; ranks += test::sanitized() ? 5 : 1) {
    for (const Spread spread : {Spread::equal, Spread::uneven, Spread::one}) {
      const Request request = test::request(Operation::reduce_scatter, ranks, 0, spread, random).combining(false);
      const NestedGroups groups = test::random_groups(3, ranks, 1 + static_cast<int>(random() % 4), random);
      for (const bool in_place : {false, true}) {
        const Request here = request.with_in_place(in_place);
        check(Plan(here, reduce_scatter_relays, {.groups = groups}));
        check(Plan(here, reduce_scatter_relays,
                   {.segment_bytes = 24, .window = 1, .channels = Channels::per_rank, .groups = groups}));
      }
    }
  }
}

TEST_CASE("relays of large vectors make do with the scratch there is, however uneven blocks are") {
  std::mt19937 random(3);
  constexpr std::int64_t large = std::int64_t{1} << 35;
  for (const int ranks : test::sanitized() ? std::vector{2, 9} : std::vector{2, 5, 9, 16, 23}) {
    for (const std::int64_t largest : {large / 64, large / 4, large}) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks), (large - largest) / ranks);
      counts[random() % counts.size()] += largest;
      for (const bool commutative : {true, false}) {
        const Request request = Request::reduce_scatter(Blocks(counts), 8, commutative);
        for (const NestedGroups& groups : {cyclic(ranks, 2), cyclic(ranks, (ranks + 2) / 3), NestedGroups()}) {
          for (const Bytes segment : {Bytes{0}, Bytes{1} << 33}) {
            const Parameters parameters{
                .segment_bytes = segment, .window = 1, .channels = Channels::per_rank, .groups = groups};
            check(Plan(request, reduce_scatter_relays, parameters));
            check(Plan(request.with_in_place(true), reduce_scatter_relays, parameters));
          }
        }
      }
    }
  }
}

TEST_CASE("over slow links relays are chosen and come near the bound, whatever the sizes of clusters and blocks") {
  for (const std::vector<std::vector<int>>& shape :
       {std::vector<std::vector<int>>{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}, {{2, 1, 2}, {1, 1}, {4}, {1, 1, 1}}}) {
    Platform platform = with_figures(clusters_of_hosts(shape), 7);
    for (Link& link : platform.links) {
      link.rate = link.total = {2'000'000, 0};
      link.flows = 2;
    }
    const std::size_t classes = PairClasses(platform).size();
    const Multiport model(platform, {.protocols = std::vector<Multiport::Protocol>(classes, {.eager = 1 << 16}),
                                     .ports = {.together = std::vector<int>(shape.size(), 1000),
                                               .back = std::vector<int>(shape.size(), 0)}});
    const Hierarchy hierarchy(platform);
    const int ranks = platform.ranks();
    std::vector<std::int64_t> counts;
    for (Rank rank = 0; rank < ranks; ++rank) counts.push_back(10'000 * (rank % 3));
    for (const Blocks& blocks : {Blocks::shared_out(ranks, 200'003), Blocks(counts)}) {
      const Request request = Request::reduce_scatter(blocks, 8);
      const Plan plan = choose(request, model, {.hierarchy = &hierarchy});
      INFO(plan.describe());
      CHECK(plan.algorithm().name == "relays");
      CHECK(predict(plan, model).makespan < lower_bound(request, platform) / 2 * 3);
    }
  }
}
