#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/scheduled.hpp>
#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/units.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/requests.hpp"
#include "models/random_models.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

bool follows(const Algorithm& algorithm) {
  return algorithm.follows_rooted_trees();
}

}  // namespace

TEST_CASE("plans that follow a stated schedule are right, and cross between clusters as often as they must") {
  std::mt19937 random(11);
  for (int ranks = 2; ranks <= 26; ranks += test::sanitized() ? 4 : 1) {
    const Platform platform = test::random_clusters(ranks, random);
    const Hierarchy hierarchy(platform);
    if (hierarchy.whole().children.empty()) continue;
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(true);
    for (const Algorithm* algorithm : all_algorithms()) {
      if (!follows(*algorithm)) continue;
      const Rank root =
          is_rooted(algorithm->operation) ? static_cast<Rank>(random() % static_cast<unsigned>(ranks)) : 0;
      const Request request = test::request(algorithm->operation, ranks, root, Spread::equal, random);
      const GroupSchedule& schedule = *all_schedules()[random() % all_schedules().size()];
      const Bytes segments[] = {0, 64};
      const auto all = scheduled({{&schedule}, ""}, *algorithm, request, model, {nullptr, &hierarchy}, segments);
      CHECK(all.size() == std::size(segments) * inside_shapes(1).size());
      for (const Candidate& candidate : all) {
        const MappedTrees& trees = candidate.plan.parameters().trees;
        INFO(candidate.plan.describe());
        CHECK(trees.name().starts_with(std::string(schedule.name) + " over "));
        const auto clusters = hierarchy.clusters();
        CHECK(test::crossings(trees.tree(0), clusters) == static_cast<int>(clusters.size()) - 1);
        if (random() % 8 == 0) CHECK(prove(candidate.plan).holds());
        CHECK(all.front().predicted <= candidate.predicted);
      }
      const auto stated =
          scheduled({{&schedule}, "binomial"}, *algorithm, request, model, {nullptr, &hierarchy}, segments);
      CHECK(stated.size() == std::size(segments));
    }
  }
}

TEST_CASE("schedules are stated as trees are named") {
  for (const GroupSchedule* schedule : all_schedules()) {
    CHECK(stated_schedule(schedule->name).between == std::vector{schedule});
    CHECK(stated_schedule(schedule->name).inside.empty());
    for (const Inside& inside : inside_shapes(3)) {
      const StatedSchedule stated = stated_schedule(std::string(schedule->name) + " over " + inside.name);
      CHECK((stated.between == std::vector{schedule} && stated.inside == inside.name));
    }
  }
  const StatedSchedule levels = stated_schedule("flat over ecef over binomial over chain");
  CHECK(levels.between == std::vector{&flat_schedule, &ecef_schedule, &binomial_schedule});
  CHECK(levels.inside == "chain");
  CHECK_THROWS_WITH(stated_schedule("flat over chain over binomial"), Catch::Contains("no schedule 'chain'"));
  CHECK_THROWS_WITH(stated_schedule("postal"), Catch::Contains("flat, fef, ecef"));
  CHECK_THROWS_WITH(stated_schedule("ecef over moon"), Catch::Contains("'moon'") && Catch::Contains("binomial"));
  CHECK_THROWS_AS(stated_schedule(""), Error);
}

TEST_CASE("every level keeps to its own schedule, and none is stated for a level that is not there") {
  // Four clusters of two hosts with two ranks each.
  const Platform platform = clusters_of_hosts({{2, 2}, {2, 2}, {2, 2}, {2, 2}});
  const Hierarchy hierarchy(platform);
  const Lmo model = RandomModels(platform, 1).lmo(true);
  const auto tree = [&](std::string_view words) {
    const Bytes segments[] = {0};
    return scheduled(stated_schedule(words), bcast_mapped, Request::bcast(16, 0, 100, 8), model, {nullptr, &hierarchy},
                     segments)
        .front()
        .plan.parameters()
        .trees;
  };
  const auto served = [&](const MappedTrees& trees, Rank rank) {
    return trees.tree(0).role(rank, Direction::down).children.size();
  };
  const MappedTrees flat = tree("flat over flat over binomial");
  const MappedTrees binomial = tree("binomial over flat over binomial");
  CHECK(flat.name() == "flat over flat over binomial");
  CHECK(served(flat, 0) == 3 + 1 + 1);      // three clusters, a host, a rank
  CHECK(served(binomial, 0) == 2 + 1 + 1);  // log2 of four clusters
  CHECK_THROWS_WITH(tree("flat over flat over flat over binomial"),
                    Catch::Contains("3 levels of groups on a platform of 2"));
}

TEST_CASE("a schedule takes an algorithm along trees and a platform of several groups") {
  const Platform one = clusters_of_hosts({{1, 1, 1, 1}});
  const Platform two = clusters_of_hosts({{1, 1}, {1, 1}});
  const Lmo model = RandomModels(two, 1).lmo(true);
  const Hierarchy flat(one);
  const Hierarchy grouped(two);
  const auto plans = [&](const Algorithm& algorithm, const Hierarchy* hierarchy) {
    std::mt19937 random(1);
    const Bytes segments[] = {0};
    const Request request = test::request(algorithm.operation, 4, 0, Spread::equal, random);
    return scheduled({{&ecef_schedule}, ""}, algorithm, request, model, {nullptr, hierarchy}, segments);
  };
  CHECK_THROWS_WITH(plans(bcast_binomial, &grouped), Catch::Contains("choose 'mapped'"));
  CHECK_THROWS_AS(plans(barrier_leaders, &grouped), Error);
  CHECK_THROWS_WITH(plans(bcast_mapped, &flat), Catch::Contains("there is but one"));
  CHECK_THROWS_AS(plans(bcast_mapped, nullptr), Error);
  CHECK_FALSE(plans(bcast_mapped, &grouped).empty());
}
