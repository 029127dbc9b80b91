#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/program/plan/arrange.hpp>
#include <tombolo/units.hpp>

#include "framework/program/programs.hpp"
#include "models/figured_platform.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

constexpr std::int64_t giga = 1'000'000'000;

Workers on_one_network(std::vector<std::int64_t> speeds) {
  const int ranks = static_cast<int>(speeds.size());
  return {gemm_speeds(speeds), {{all_in_order(ranks)}}};
}

Arranged best(const Declaration& program, const Workers& workers, Planner& planner,
              const ArrangeOptions& options = {}) {
  return arrange(program, workers, planner, options, expected_passes(program));
}

std::string error_of(const Declaration& program, const Workers& workers) {
  Planner planner = links(50, 125);
  try {
    best(program, workers, planner);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

// Two fast hosts, and one behind a link of milliseconds.
Platform far_away() {
  return with_figures(clusters_of_hosts({{1, 1}, {1}}), 3);
}

}  // namespace

TEST_CASE("all ranks take part where links are cheap") {
  Planner planner = links(1, 10'000);
  const Arranged found = best(product(1000, 1000, 1000), on_one_network({giga, 2 * giga, giga, 3 * giga}), planner);
  CHECK(found.arrangement.members == all_in_order(4));
  CHECK(found.arrangement.divisions.at(0).items() == 1000);
}

TEST_CASE("a rank that only delays is left out, unless it is the root or all are wanted") {
  const std::vector<std::int64_t> speeds{giga, giga, giga, giga, giga / 1000};
  const Workers workers = on_one_network(speeds);
  Planner planner = links(20'000, 10'000);
  const Arranged found = best(product(1000, 1000, 1000), workers, planner);
  CHECK(found.arrangement.member(4) == -1);
  CHECK_THAT(found.arrangement.how, Contains("of 5 ranks"));
  CHECK(found.arrangement.divisions.at(0).ranks() == found.arrangement.ranks());
  const Arranged everybody = best(product(1000, 1000, 1000), workers, planner, {.policy = SharePolicy::speed});
  CHECK(everybody.arrangement.members == all_in_order(5));
  CHECK(found.outlook.makespan < everybody.outlook.makespan);
  CHECK(best(product(1000, 1000, 1000, 4), workers, planner).arrangement.member(4) >= 0);
}

TEST_CASE("a slow rank behind a long link is left out, a fast one is not") {
  const std::vector<RankParts> clusters{{{0, 1}, {2}}};
  const Declaration program = product(300, 300, 300);
  Planner planner(far_away());
  const Arranged slow = best(program, {gemm_speeds({giga, giga, giga / 1000}), clusters}, planner);
  CHECK(slow.arrangement.members == std::vector<Rank>{0, 1});
  const Arranged fast = best(product(5000, 1000, 1000), {gemm_speeds({giga, giga, 1000 * giga}), clusters}, planner);
  CHECK(fast.arrangement.member(2) >= 0);
}

TEST_CASE("whoever is left out, it is predicted to be faster so") {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    const int ranks = 1 + static_cast<int>(random() % 8);
    std::vector<std::int64_t> speeds;
    for (int r = 0; r < ranks; ++r) speeds.push_back(giga / static_cast<std::int64_t>(1 + random() % 100));
    const Workers workers = on_one_network(speeds);
    const Rank root = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
    const Declaration program = product(static_cast<std::int64_t>(1 + random() % 500), 100, 100, root);
    Planner planner = links(static_cast<std::int64_t>(1 + random() % 1000), 100);
    const Arranged all = best(program, workers, planner, {.policy = SharePolicy::speed});
    const Arranged found = best(program, workers, planner);
    CHECK(found.arrangement.member(root) >= 0);
    CHECK(found.outlook.makespan <= all.outlook.makespan);
    if (found.arrangement.ranks() == ranks) continue;
    CHECK(seconds(found.outlook.makespan) < 0.99 * seconds(all.outlook.makespan));
  }
}

TEST_CASE("ranks are left out only where that gains on links as good as they may be, too") {
  // Latencies measured on a busy machine: milliseconds, or microseconds.
  Planner busy = links(6000, 10'000);
  const Declaration program = plate(1000, 1000, 1, 50);
  const Workers workers = on_one_network({giga, giga});
  const Arranged alone = best(program, workers, busy);
  CHECK(alone.arrangement.ranks() == 1);
  int asked = 0;
  const auto at_best = [&](std::int64_t latency) {
    return [&asked, latency]() -> std::shared_ptr<Planner> {
      ++asked;
      return std::make_shared<Planner>(links(latency, 10'000));
    };
  };
  const Arranged unsure = best(program, workers, busy, {.at_best = at_best(1)});
  CHECK(asked == 1);
  CHECK(unsure.arrangement.members == all_in_order(2));
  CHECK_THAT(unsure.arrangement.how, Contains("on all ranks, as links are not sure enough to leave any out"));
  for (const std::int64_t latency : {std::int64_t{6000}, std::int64_t{5000}}) {
    CHECK(best(program, workers, busy, {.at_best = at_best(latency)}).arrangement == alone.arrangement);
  }
  CHECK(best(program, workers, busy, {.at_best = [] { return nullptr; }}).arrangement == alone.arrangement);
  Planner quiet = links(1, 10'000);
  asked = 0;
  CHECK(best(program, workers, quiet, {.at_best = at_best(1)}).arrangement.ranks() == 2);
  CHECK(asked == 0);
}

TEST_CASE("times too long to be told are as long as can be") {
  Planner planner = links(50, 125);
  const Workers workers = on_one_network({1, 1});
  CHECK(best(product(1'000'000, 1'000'000, 1'000'000), workers, planner).outlook.makespan == never);
  CHECK(best(plate(1'000'000, 1'000'000, 1, 1000), workers, planner).outlook.makespan == never);
  CHECK(times_over(never / 2, 2) == never - 1);
  CHECK(times_over(never / 2, 3) == never);
  CHECK(times_over(never, 0) == 0);
}

TEST_CASE("shares are in proportion, equal, or as given") {
  Planner planner = links(1, 10'000);
  const Workers workers = on_one_network({giga, 3 * giga});
  const auto shares = [&](const Declaration& program, SharePolicy policy) {
    return best(program, workers, planner, {.policy = policy, .panels = 1}).arrangement.divisions.at(0).shares();
  };
  Declaration program = product(400, 500, 500);
  CHECK(shares(program, SharePolicy::speed) == std::vector<std::int64_t>{100, 300});
  CHECK(shares(program, SharePolicy::equal) == std::vector<std::int64_t>{200, 200});
  program.slices[0].given = {400, 0};
  for (const SharePolicy policy : {SharePolicy::best, SharePolicy::speed, SharePolicy::equal}) {
    CHECK(shares(program, policy) == std::vector<std::int64_t>{400, 0});
  }
}

TEST_CASE("ranks that are left out do not keep the others from panels") {
  std::vector<std::int64_t> speeds(12, giga / 1'000'000);
  std::fill_n(speeds.begin(), 3, giga);
  Declaration program = product(600, 600, 600);
  program.slices[0].grain = 100;  // 2 panels are worth calls on 3 ranks, not on 12
  Planner planner = links(50, 125);
  const Arranged found = best(program, on_one_network(speeds), planner);
  CHECK(found.arrangement.members == all_in_order(3));
  CHECK(found.arrangement.divisions.at(0).panels() == 2);
}

TEST_CASE("panels that were asked for are made, others where they are predicted to help") {
  const Workers workers = on_one_network({giga, giga, giga});
  const Declaration program = product(600, 600, 600);
  Planner planner = links(50, 125);
  const auto with = [&](const ArrangeOptions& options) { return best(program, workers, planner, options); };
  CHECK(with({.panels = 7}).arrangement.divisions.at(0).panels() == 7);
  CHECK(with({.panels = 7}).arrangement.overlaps);
  CHECK(with({.native = true}).arrangement.divisions.at(0).panels() == 1);
  CHECK_FALSE(with({.native = true}).arrangement.overlaps);
  CHECK_FALSE(with({.overlap = false}).arrangement.overlaps);
  CHECK(with({}).outlook.makespan <= with({.overlap = false}).outlook.makespan);
  CHECK(with({}).arrangement.divisions.at(0).panels() > 1);
  CHECK_THAT(with({.panels = 7}).arrangement.how, Contains("7 panels"));
  const Arranged loop = best(plate(600, 60, 1, 5), workers, planner, {.panels = 7});
  CHECK(loop.arrangement.divisions.at(0).panels() == 1);
  CHECK_FALSE(Contains("panels").match(loop.arrangement.how));
}

TEST_CASE("a scatter and a gather beside each other are flat where windows gain little") {
  const Workers workers = on_one_network(std::vector<std::int64_t>(8, giga));
  int near = 0;
  for (const std::int64_t latency : {20, 50, 100, 200}) {
    for (const std::int64_t rows : {500, 1000, 2000, 4000, 8000, 16000}) {
      const Declaration program = product(rows, 200, 100);
      Planner planner = links(latency, 1000);
      const Arranged found = best(program, workers, planner, {.panels = 8});
      if (!found.arrangement.overlaps || found.arrangement.ranks() == 1) continue;
      Planner& some = found.arrangement.ranks() == 8 ? planner : *planner.on(found.arrangement.members);
      const auto with = [&](Pairing pairing) {
        return Costs(program, found.arrangement, workers.speeds, some, false, {}, pairing);
      };
      const auto makespan = [&](Pairing pairing) {
        Costs costs = with(pairing);
        return outlook(program, found.arrangement, costs, expected_passes(program)).makespan;
      };
      CHECK(makespan(found.pairing) == found.outlook.makespan);
      const bool gains = seconds(makespan(Pairing::none)) < (1 - 0.1 * 7 / 8) * seconds(makespan(Pairing::flat));
      CHECK((found.pairing == Pairing::flat) != gains);
      Costs alone = with(Pairing::none);
      Costs flat = with(found.pairing);
      const std::string scatter(alone.plan({.task = 0})->algorithm().name);
      const std::string gather(alone.plan({.task = 3})->algorithm().name);
      if (gains || scatter == "flat" || gather == "flat") continue;
      ++near;
      CHECK(*flat.plan({.task = 0}) == Plan(flat.plan({.task = 0})->request(), scatterv_flat));
      CHECK(*flat.plan({.task = 3}) == Plan(flat.plan({.task = 3})->request(), gatherv_flat));
    }
  }
  CHECK(near > 0);
}

TEST_CASE("programs of nothing are arranged too") {
  Planner planner = links(50, 125);
  const Workers workers = on_one_network({giga, giga, giga});
  CHECK(best({.name = "empty"}, workers, planner).outlook.makespan == 0);
  CHECK(best(product(0, 0, 0), workers, planner).arrangement.divisions.at(0).items() == 0);
  CHECK(best(product(1, 5, 5, 2), on_one_network({giga, giga, giga}), planner).arrangement.member(2) >= 0);
}

TEST_CASE("what does not suit the ranks is refused") {
  const Workers workers = on_one_network({giga, giga});
  Declaration program = product(10, 5, 5);
  program.slices[0].given = {4, 5};
  CHECK_THAT(error_of(program, workers), Contains("shares of 9 items for 2 ranks, and are 10 items for 2 ranks"));
  program.slices[0].given = {5, 5, 0};
  CHECK_THAT(error_of(program, workers), Contains("shares of 10 items for 3 ranks"));
  CHECK_THAT(error_of(product(10, 5, 5, 2), workers), Contains("A is at rank 2 of 2"));
  CHECK_THAT(error_of(product(10, 5, 5, -1), workers), Contains("A is at rank -1 of 2"));
  CHECK_THAT(error_of(product(10, 5, 5), on_one_network({giga, 0})), Contains("gemm has no speed on rank 1"));
  CHECK_THAT(error_of(product(10, 5, 5), {gemm_speeds({giga}), {{{0, 1}}}}), Contains("gemm has 1 speeds for 2 ranks"));
}

TEST_CASE("how fast a member is, is what all its work over the slices takes") {
  Declaration program = product(10, 5, 5);
  program.tasks.push_back(compute({}, {}, 50));
  program.tasks.back().kernel = "other";
  const Speeds speeds{{"gemm", constants({100, 200})}, {"other", constants({100, 25})}};
  const std::vector<std::int64_t> found = speeds_over(program, 0, speeds, all_in_order(2));
  // 50 operations of each an item: 1 s and 2.25 s
  CHECK(static_cast<double>(found[0]) / static_cast<double>(found[1]) == Approx(2.25));
  CHECK(speeds_over(program, 1, speeds, all_in_order(2)) == std::vector<std::int64_t>{1, 1});
}
