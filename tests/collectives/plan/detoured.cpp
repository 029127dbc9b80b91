#include <map>

#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/detoured.hpp>
#include <tombolo/collectives/prove/prove.hpp>

#include "collectives/mutations.hpp"
#include "collectives/random_trees.hpp"
#include "collectives/requests.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const int most_ranks = test::sanitized() ? 9 : 24;

void check(const Plan& plan) {
  const Proof proof = prove(plan);
  if (!proof.holds()) FAIL(plan.describe() << ": " << *proof.fault);
}

// Elements sent from one cluster to another, by the clusters.
std::map<std::pair<int, int>, std::int64_t> crossing(const std::vector<Schedule>& schedules,
                                                     const Partition& clusters) {
  std::map<Rank, int> cluster_of;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const Rank rank : clusters[c]) cluster_of[rank] = static_cast<int>(c);
  }
  std::map<std::pair<int, int>, std::int64_t> sum;
  for (std::size_t rank = 0; rank < schedules.size(); ++rank) {
    for (const Step& step : schedules[rank].steps()) {
      if (step.kind != Step::Kind::send) continue;
      const std::pair ends(cluster_of[static_cast<Rank>(rank)], cluster_of[step.peer]);
      if (ends.first != ends.second) sum[ends] += step.count;
    }
  }
  return sum;
}

// Three clusters; from 0 to 1, so many of ten elements over cluster 2, the others directly.
Detours over_third(std::int64_t tenths, Bytes segment) {
  std::vector<Detours::Way> ways{{.over = {2}, .weight = tenths}};
  if (tenths < 10) ways.push_back({.over = {}, .weight = 10 - tenths});
  const Partition clusters{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}};
  return {clusters, clusters, {{.from = 0, .to = 1, .segment_bytes = segment, .ways = ways}}};
}

}  // namespace

TEST_CASE("every algorithm is proved over any detours, with any root, sizes, segments and windows") {
  for (const Algorithm* algorithm : all_algorithms()) {
    DYNAMIC_SECTION(name(algorithm->operation) << " " << algorithm->name) {
      std::mt19937 random(11);
      for (int ranks = 1; ranks <= most_ranks; ++ranks) {
        for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven, Spread::one}) {
          const Rank root = is_rooted(algorithm->operation) ? static_cast<Rank>(random() % ranks) : 0;
          const Request request = test::request(algorithm->operation, ranks, root, spread, random);
          const Detours detours = test::random_detours(ranks, 1 + static_cast<int>(random() % 6), random);
          check(Plan(request, *algorithm, {.detours = detours}));
          check(Plan(request, *algorithm, {.window = 1, .channels = Channels::per_rank, .detours = detours}));
          if (!algorithm->heeds(Parameter::segment_bytes)) continue;
          check(Plan(request, *algorithm, {.segment_bytes = 24, .window = 2, .detours = detours}));
        }
      }
      SUCCEED();
    }
  }
}

TEST_CASE("every mutation of a plan over detours is caught") {
  std::mt19937 random(4);
  int caught = 0;
  // Where relays need what they forward themselves, two messages may be the same. Where ranks pass blocks on, parts of
  // a message wait for all that the message waits for, which not every part needs.
  for (const Algorithm* const algorithm : {&alltoallv_direct, &scatterv_flat, &gatherv_flat}) {
    const Request request = test::request(algorithm->operation, 7, 0, Spread::equal, random);
    const Plan plan(request, *algorithm, {.detours = test::random_detours(7, 4, random)});
    test::for_each_mutant(plan.schedules(), [&](const test::Mutant& mutant) {
      if (prove(request, mutant.schedules, forwarded_elements(plan)).holds()) {
        FAIL("not caught in " << plan.describe() << ": " << mutant.what);
      }
      ++caught;
    });
  }
  CHECK(caught > 200);
}

TEST_CASE("ways carry their shares, of many messages whole and of few in parts, and nothing else changes") {
  for (const Bytes segment : {0, 80}) {
    for (const std::int64_t tenths : {1, 5, 8, 10}) {
      const Detours detours = over_third(tenths, segment);
      for (const bool few : {false, true}) {
        const Request request = few ? Request::scatterv(3, Blocks({0, 0, 0, 0, 1000, 0, 0, 0, 0, 0}), 8)
                                    : Request::alltoallv(10, AlltoallCounts::equal(10, 1000), 8);
        const Algorithm& algorithm = few ? scatterv_flat : alltoallv_direct;
        const auto before = crossing(Plan(request, algorithm).schedules(), detours.clusters());
        auto after = crossing(Plan(request, algorithm, {.detours = detours}).schedules(), detours.clusters());
        const std::int64_t moved = before.at({0, 1}) - after[{0, 1}];
        CHECK(std::abs(moved * 10 - tenths * before.at({0, 1})) <= (few ? 10 : 10'000));
        const auto at = [](const auto& sums, std::pair<int, int> ends) {
          const auto found = sums.find(ends);
          return found == sums.end() ? 0 : found->second;
        };
        for (const auto& [ends, more] : std::map<std::pair<int, int>, std::int64_t>{
                 {{0, 2}, moved}, {{2, 1}, moved}, {{1, 0}, 0}, {{1, 2}, 0}, {{2, 0}, 0}}) {
          CHECK(at(after, ends) == at(before, ends) + more);
        }
      }
    }
  }
}

TEST_CASE("relays share what they forward, keep few segments of it, and refuse more than their memory holds") {
  const Plan plan(Request::alltoallv(10, AlltoallCounts::equal(10, 1'000'000), 1), alltoallv_direct,
                  {.detours = over_third(10, 10'000)});
  const std::vector<Schedule> schedules = plan.schedules();
  // 16 messages over two relays, three slots of a hundredth for each.
  for (const Rank relay : {8, 9}) CHECK(schedules[static_cast<std::size_t>(relay)].scratch() == 8 * 3 * 10'000);
  CHECK(schedules.front().scratch() == 0);
  for (Rank rank = 0; rank < 10; ++rank) CHECK(plan.schedule(rank) == schedules[static_cast<std::size_t>(rank)]);
  // A single message takes both relays.
  const Plan one(Request::scatterv(3, Blocks({0, 0, 0, 0, 100'000, 0, 0, 0, 0, 0}), 1), scatterv_flat,
                 {.detours = over_third(10, 10'000)});
  for (const Rank relay : {8, 9}) CHECK(one.schedule(relay).size() == 2 * 5);
  // Blocks above 2^31 bytes that are not cut do not fit, and go directly; small elements in segments do.
  const std::int64_t large = std::int64_t{3} << 31;
  const Request huge = Request::alltoallv(10, AlltoallCounts::equal(10, large), 1);
  CHECK(Plan(huge, alltoallv_direct, {.detours = over_third(10, 0)}).schedules() ==
        Plan(huge, alltoallv_direct).schedules());
  const Plan cut(huge, alltoallv_direct, {.detours = over_third(10, 1 << 20)});
  std::int64_t most = 0;
  for (const Schedule& schedule : cut.schedules()) most = std::max(most, schedule.scratch());
  CHECK(most == 8 * 3 * (1 << 20));
  check(Plan(Request::alltoallv(10, AlltoallCounts::equal(10, 1), large), alltoallv_direct,
             {.detours = over_third(10, 10'000)}));
}

TEST_CASE("detours need the counts of all ranks, and clusters of all ranks") {
  const Request known = Request::scatterv(0, Blocks({5, 5, 5, 5, 5, 5, 5, 5, 5, 5}), 8);
  CHECK_NOTHROW(Plan(known, scatterv_flat, {.detours = over_third(5, 0)}));
  CHECK_THROWS_WITH(Plan(known.knowing(Knowledge::as_in_mpi), scatterv_flat, {.detours = over_third(5, 0)}),
                    Catch::Contains("do not know the counts"));
  CHECK_THROWS_WITH(Plan(Request::bcast(4, 0, 1, 1), bcast_flat, {.detours = over_third(5, 0)}),
                    Catch::Contains("10 of 4 ranks"));
}
