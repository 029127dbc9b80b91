// That a proved plan also sends no block twice over a link between clusters, nor into a group of clusters.

#include <cstdint>

#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/allgatherv/relays.hpp>
#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/plan/plan.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/operations/crossing.hpp"
#include "collectives/random_trees.hpp"
#include "collectives/requests.hpp"

using namespace tombolo;
using test::crossing;
using test::owned;
using test::Spread;

TEST_CASE("each block crosses once to each other cluster, straight from its own, whatever the clusters' sizes") {
  test::check_crossings(Operation::allgatherv, allgatherv_relays, test::Owner::sender);
}

TEST_CASE("where clusters are in groups, each block crosses once to each other group") {
  const Hierarchy hierarchy(test::two_sites());
  const std::vector<NestedGroups> all = level_groups(hierarchy);
  REQUIRE(all.size() == 3);  // of all levels, clusters, sites
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

using test::random_groups;
using test::Spread;

namespace {

bool is_in(const std::vector<int>& rank_order, int place) {
  return std::find(rank_order.begin(), rank_order.end(), place) != rank_order.end();
}

}  // namespace

TEST_CASE("every place has each part once, from one that sends it there, and each group takes it in once") {
  std::mt19937 random(6);
  for (int ranks = 1; ranks <= 30; ++ranks) {
    const NestedGroups groups = random_groups(ranks, random);
    const Blocks blocks(test::counts(ranks, Spread::uneven, random));
    const Relayed relayed(groups, blocks);
    for (int owner = 0; owner < ranks; ++owner) {
      const std::int64_t count = blocks.count(groups.rank(owner));
      if (count == 0) continue;
      std::vector<Relayed::Way> ways;
      std::size_t sent = 0;
      for (int place = 0; place < ranks; ++place) {
        ways.push_back(relayed.way(owner, count / 2, count - count / 2, place));
        sent += ways.back().far.size() + ways.back().near.size();
      }
      CHECK(ways[static_cast<std::size_t>(owner)].from == -1);
      CHECK(sent == static_cast<std::size_t>(ranks - 1));
      for (int place = 0; place < ranks; ++place) {
        if (place == owner) continue;
        const int from = ways[static_cast<std::size_t>(place)].from;
        REQUIRE(from >= 0);
        const Relayed::Way& there = ways[static_cast<std::size_t>(from)];
        const bool near = groups.common_level(from, place) == groups.levels() - 1;
        CHECK(is_in(near ? there.near : there.far, place));
        for (int level = 1; level < groups.levels(); ++level) {
          const Group& group = groups.group(level, place);
          if (group.first != place || groups.group(level, owner) == group) continue;
          int entered = 0;
          for (int inside = group.first; inside < group.end(); ++inside) {
            const int came = ways[static_cast<std::size_t>(inside)].from;
            entered += came < group.first || came >= group.end() ? 1 : 0;
          }
          CHECK(entered == 1);
        }
      }
    }
  }
}

TEST_CASE("relays take equal shares of what comes from each group, whosever blocks it is") {
  for (const int sources : {1, 2, 5, 16, 23}) {
    for (const int relays : {1, 2, 7, 16, 20}) {
      const int ranks = sources + relays;
      Partition partition(2);
      for (Rank rank = 0; rank < ranks; ++rank) partition[rank < sources ? 0 : 1].push_back(rank);
      const NestedGroups groups("two groups", {partition});
      std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks), 0);
      std::int64_t total = 0;
      for (int source = 0; source < sources; ++source) {
        total += counts[static_cast<std::size_t>(source)] = 100 + source * source * 37 % 1000;
      }
      const Relayed relayed(groups, Blocks(counts));
      std::vector<std::int64_t> shares(static_cast<std::size_t>(relays), 0);
      for (int source = 0; source < sources; ++source) {
        for (std::int64_t element = 0; element < counts[static_cast<std::size_t>(source)]; ++element) {
          const Relayed::Way way = relayed.way(source, element, 1, source);
          REQUIRE(way.far.size() == 1);
          ++shares[static_cast<std::size_t>(way.far.front() - sources)];
        }
      }
      for (const std::int64_t share : shares) CHECK(std::abs(share - total / relays) <= 1);
    }
  }
}
