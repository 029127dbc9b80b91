// That a proved plan also sends no block twice over a link between clusters, nor into a group of clusters.

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/level_trees.hpp>
#include <tombolo/collectives/plan.hpp>

#include "collectives/mapping/landscapes.hpp"
#include "collectives/requests.hpp"

using namespace tombolo;
using test::Spread;

namespace {

bool holds(const Landscape::Group& group, Rank rank) {
  return std::binary_search(group.ranks.begin(), group.ranks.end(), rank);
}

// Elements that all ranks of the second group get from those of the first.
std::int64_t crossing(const Plan& plan, const Landscape::Group& from, const Landscape::Group& to) {
  std::int64_t elements = 0;
  for (const Rank rank : to.ranks) {
    const Schedule schedule = plan.schedule(rank);
    for (const Step& step : schedule.steps()) {
      if (step.kind == Step::Kind::receive && holds(from, step.peer)) elements += step.count;
    }
  }
  return elements;
}

std::int64_t owned(const Request& request, const Landscape::Group& group) {
  std::int64_t elements = 0;
  for (const Rank rank : group.ranks) elements += request.blocks.count(rank);
  return elements;
}

}  // namespace

TEST_CASE("each block crosses once to each other cluster, straight from its own, whatever the clusters' sizes") {
  std::mt19937 random(8);
  for (int ranks = 2; ranks <= 48; ranks += 1 + ranks / 8) {
    const Landscape landscape(test::random_clusters(ranks, random));
    const auto clusters = landscape.clusters();
    if (clusters.size() < 2) continue;
    for (const Spread spread : {Spread::equal, Spread::uneven, Spread::one}) {
      const Request request = test::request(Operation::allgatherv, ranks, 0, spread, random);
      for (const MappedTrees& trees : level_trees(landscape)) {
        for (const Bytes segment : {0, 16}) {
          const Plan plan(request, allgatherv_relays, {.segment_bytes = segment, .trees = trees});
          INFO(plan.describe());
          for (const Landscape::Group* to : clusters) {
            for (const Landscape::Group* from : clusters) {
              if (from != to) CHECK(crossing(plan, *from, *to) == owned(request, *from));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("where clusters are in groups, each block crosses once to each other group") {
  // Two sites: clusters of 2 and 3 ranks, and of 1, 4 and 2.
  using Kind = Level::Kind;
  Platform platform;
  const auto level = [](Kind kind, Rank first, Rank end) {
    Level made{kind, "", {}, {}};
    for (Rank rank = first; rank < end; ++rank) made.ranks.push_back(rank);
    return made;
  };
  platform.processors.resize(12);
  platform.levels = level(Kind::group, 0, 12);
  platform.levels.children = {level(Kind::group, 0, 5), level(Kind::group, 5, 12)};
  platform.levels.children[0].children = {level(Kind::cluster, 0, 2), level(Kind::cluster, 2, 5)};
  platform.levels.children[1].children = {level(Kind::cluster, 5, 6), level(Kind::cluster, 6, 10),
                                          level(Kind::cluster, 10, 12)};
  const Landscape landscape(platform);
  const std::vector<MappedTrees> all = level_trees(landscape);
  REQUIRE(all.size() == 2);
  REQUIRE(all.front().size() == 2);
  const Request request = Request::allgatherv(Blocks({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}), 8);
  const Plan plan(request, allgatherv_relays, {.segment_bytes = 8, .trees = all.front()});
  const auto& sites = landscape.whole().children;
  CHECK(crossing(plan, sites[0], sites[1]) == owned(request, sites[0]));
  CHECK(crossing(plan, sites[1], sites[0]) == owned(request, sites[1]));
  for (const Landscape::Group* cluster : landscape.clusters()) {
    CHECK(crossing(plan, landscape.whole(), *cluster) ==
          request.blocks.total() * static_cast<std::int64_t>(cluster->ranks.size()) - owned(request, *cluster));
  }
}
