// A planner's planners for part of its ranks.
#include <algorithm>
#include <cstdlib>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/platform/description/members.hpp>

#include "collectives/choose_by_model.hpp"
#include "models/figured_platform.hpp"
#include "platform/part_of_platform.hpp"
#include "requests.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::some_ranks;
using test::Spread;

namespace {

Platform three_clusters(unsigned seed) {
  return with_figures(clusters_of_hosts({{2, 1, 1}, {1, 1, 1, 1}, {1, 3}}), seed);
}

// One of each operation; large ones are cut.
std::vector<Request> requests(int ranks, Rank root, Bytes element, std::mt19937& random) {
  std::vector<Request> all;
  for (const Operation operation : all_operations()) {
    all.push_back(test::request(operation, ranks, is_rooted(operation) ? root : 0, Spread::uneven, random));
    all.back().element_bytes = element;
  }
  return all;
}

Picoseconds predicted(const Plan& plan, const Planner& planner) {
  return predict(plan, planner.model_for(plan.request(), plan.algorithm())).makespan;
}

bool throttles(const Planner& planner, const Request& request) {
  const std::vector<Candidate> all = planner.candidates(request);
  return std::any_of(all.begin(), all.end(), [](const Candidate& c) { return c.plan.algorithm().throttles; });
}

}  // namespace

TEST_CASE("a planner on all ranks in order chooses as the whole one does") {
  std::mt19937 random(1);
  Planner whole(three_clusters(1));
  const auto all = whole.on(all_in_order(12));
  for (const Request& request : requests(12, 5, 1000, random)) {
    const Plan plan = all->plan(request);
    CHECK(plan == whole.plan(request));
    CHECK(predicted(plan, *all) == predicted(plan, whole));
    CHECK(all->bound(request) == whole.bound(request));
  }
}

TEST_CASE("ranks in any order, all or some, are predicted and bounded as a platform file of theirs would be") {
  std::mt19937 random(2);
  for (unsigned seed = 0; seed < 8; seed += test::sanitized() ? 3 : 1) {
    Platform platform = three_clusters(seed);
    if (seed % 2 == 0) platform.levels.children[1].uplink = {20'000'000, 0};
    const int count = seed < 4 ? platform.ranks() : 2 + static_cast<int>(random() % 10);
    const std::vector<Rank> members = some_ranks(platform.ranks(), count, random);
    Planner whole(platform);
    Planner alone(part_of_platform(platform, members));
    const auto part = whole.on(members);
    for (const Request& request : requests(count, count - 1, seed % 3 == 0 ? 8 : 10'000, random)) {
      INFO("seed " << seed << ", " << name(request.operation) << " on " << count);
      CHECK(part->bound(request) == alone.bound(request));
      for (const Plan& plan : {part->plan(request), alone.plan(request)}) {
        const Picoseconds expected = predicted(plan, alone);
        // Rates that flows share are rounded link by link, which have other numbers there; flows that end at nearly the
        // same time may then end in another order.
        CHECK(std::abs(predicted(plan, *part) - expected) <= expected / 2'000);
      }
    }
  }
}

TEST_CASE("ranks of one cluster plan as that cluster by itself would") {
  std::mt19937 random(3);
  Platform platform = with_figures(clusters_of_hosts({{1, 1, 1}, {1, 2, 1, 1, 1}}), 3);
  // What a platform takes for its longest latency leaves processors out, and windows go by it.
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  const std::vector<Rank> members = platform.levels.children[1].ranks;
  Planner whole(platform);
  Planner alone(part_of_platform(platform, members));
  const auto part = whole.on(members);
  for (const Bytes element : test::sanitized() ? std::vector{1000} : std::vector{8, 1000, 20'000}) {
    for (const Request& request : requests(6, 4, element, random)) {
      CHECK(part->plan(request) == alone.plan(request));
      CHECK(part->candidates(request).size() == alone.candidates(request).size());
    }
  }
}

TEST_CASE("whatever is chosen for any ranks of a platform is right") {
  std::mt19937 random(4);
  Planner whole(three_clusters(4));
  for (int turn = 0; turn < (test::sanitized() ? 3 : 25); ++turn) {
    const int count = 1 + turn % 12;
    const auto part = whole.on(some_ranks(12, count, random));
    const Rank root = static_cast<Rank>(random() % static_cast<unsigned>(count));
    for (const Request& request : requests(count, root, turn % 3 == 0 ? 8 : 5000, random)) {
      const Plan plan = part->plan(request);
      const Proof proof = prove(plan);
      INFO(plan.describe() << " on " << count << ": " << proof.fault.value_or(""));
      CHECK(proof.holds());
    }
  }
}

TEST_CASE("some ranks of some ranks are ranks of the whole") {
  std::mt19937 random(5);
  Planner whole(three_clusters(5));
  const std::vector<Rank> outer = some_ranks(12, 9, random);
  const std::vector<Rank> inner = some_ranks(9, 5, random);
  std::vector<Rank> both;
  for (const Rank rank : inner) both.push_back(outer[static_cast<std::size_t>(rank)]);
  const auto nested = whole.on(outer)->on(inner);
  const auto direct = whole.on(both);
  for (const Request& request : requests(5, 2, 1000, random)) {
    const Plan plan = nested->plan(request);
    CHECK(plan == direct->plan(request));
    CHECK(predicted(plan, *nested) == predicted(plan, *direct));
    CHECK(nested->bound(request) == direct->bound(request));
  }
}

TEST_CASE("the same members share a planner, which lives on by itself, and strangers are refused") {
  std::shared_ptr<Planner> part;
  {
    Planner whole(three_clusters(6));
    part = whole.on({4, 2});
    CHECK(whole.on({4, 2}) == part);
    CHECK(whole.on({2, 4}) != part);
    CHECK_THROWS_WITH(whole.on({2, 12}), Catch::Contains("rank 12 as member 1 of a platform of 12 ranks; "));
    CHECK_THROWS_WITH(whole.on({2, 2}), Catch::Contains("rank 2 as member 1"));
    CHECK_THROWS_WITH(part->on({2}), Catch::Contains("rank 2 as member 0 of a platform of 2 ranks"));
    // However many there were, they are right.
    for (Rank a = 0; a < 12; ++a) {
      for (Rank b = 0; b < 12; ++b) {
        if (a != b) whole.on({a, b});
      }
    }
    CHECK(whole.on({4, 2})->bound(Request::barrier(2)) == part->bound(Request::barrier(2)));
  }
  CHECK(part->plan(Request::bcast(2, 1, 1000, 8)).request().ranks == 2);
}

TEST_CASE("where links are all alike, so they are among some") {
  const Hockney model({.latency = 50'000'000, .rate = 125'000'000});
  Planner whole(model);
  std::mt19937 random(7);
  for (const Request& request : requests(5, 2, 1000, random)) {
    CHECK(whole.on({7, 3, 5, 0, 1})->plan(request) == choose(request, model));
  }
}

TEST_CASE("gathers are throttled where those of their own scope escalate, if there are enough ranks for it") {
  Platform platform = with_figures(clusters_of_hosts({std::vector<int>(16, 1), std::vector<int>(4, 1)}), 8);
  store_thresholds(platform, {{.scope = "c0",
                               .ranks = 16,
                               .gather = GatherThresholds{.small = 2000, .large = 100'000},
                               .escalation = picoseconds_per_second}});
  Planner whole(platform);
  const auto gather = [](int ranks) { return Request::gatherv(0, Blocks::equal(ranks, 2500), 1); };
  const std::vector<Rank>& escalating = platform.levels.children[0].ranks;
  const auto first = [&](int count) { return std::vector<Rank>(escalating.begin(), escalating.begin() + count); };
  CHECK(throttles(*whole.on(escalating), gather(16)));
  CHECK(throttles(*whole.on(first(8)), gather(8)));
  CHECK_FALSE(throttles(*whole.on(first(7)), gather(7)));  // 6 x 2500 bytes are half of 15 x 2000
  CHECK_FALSE(throttles(*whole.on(platform.levels.children[1].ranks), gather(4)));
  CHECK_FALSE(throttles(whole, gather(20)));
}
