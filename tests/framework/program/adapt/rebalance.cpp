#include <numeric>

#include <catch2/catch.hpp>

#include <tombolo/framework/program/adapt/rebalance.hpp>

using namespace tombolo;

namespace {

/// A loop whose members have speeds that only they know, in items a second.
struct Loop {
  DeclaredDomain slices;
  Division shares;
  Rebalance rebalance{slices};
  int changes = 0;

  Loop(std::int64_t items, std::vector<std::int64_t> first)
      : slices{.name = "rows", .items = items}, shares({std::move(first)}) {}

  double pass(const std::vector<double>& speeds) const {
    double longest = 0;
    for (Rank r = 0; r < shares.ranks(); ++r) {
      longest = std::max(longest, static_cast<double>(shares.items_of(r)) / speeds[static_cast<std::size_t>(r)]);
    }
    return longest;
  }

  void look(const std::vector<double>& speeds, std::int64_t passes, double move_s) {
    std::vector<double> took;
    for (Rank r = 0; r < shares.ranks(); ++r) {
      took.push_back(static_cast<double>(passes * shares.items_of(r)) / speeds[static_cast<std::size_t>(r)]);
    }
    const Passes seen{.count = passes, .each_s = pass(speeds), .computing_s = took};
    if (const auto next = rebalance.look(shares, seen, [&](const Division&) { return move_s; })) {
      shares = *next;
      ++changes;
    }
  }
};

TEST_CASE("shares that suit stay") {
  Loop loop(600, {100, 200, 300});
  for (int i = 0; i < 50; ++i) loop.look({100, 200, 300}, 10, 0);
  CHECK(loop.changes == 0);
}

TEST_CASE("shares follow a processor that has slowed down, and one that has become faster") {
  Loop loop(1000, {250, 250, 250, 250});
  std::vector<double> speeds{100, 100, 100, 25};
  for (int i = 0; i < 30; ++i) loop.look(speeds, 5, 0.01);
  CHECK(loop.pass(speeds) < 1.1 * 1000 / 325);
  CHECK(loop.shares.items() == 1000);
  speeds = {25, 100, 100, 100};
  for (int i = 0; i < 60; ++i) loop.look(speeds, 5, 0.01);
  CHECK(loop.pass(speeds) < 1.15 * 1000 / 325);
}

TEST_CASE("a change has to pay for the move") {
  const std::vector<double> speeds{100, 50};
  Loop loop(100, {50, 50});
  const double lost = loop.pass(speeds) - 100.0 / 150;  // each pass
  for (int i = 0; i < 10; ++i) loop.look(speeds, 1, 20 * lost);
  CHECK(loop.changes == 0);
  for (int i = 0; i < 20; ++i) loop.look(speeds, 1, 20 * lost);
  CHECK(loop.changes >= 1);
}

TEST_CASE("a change after which passes take longer is taken back, and tried ever less often") {
  // A processor that is fast for up to ten items and all but stands still beyond.
  Loop loop(100, {90, 10});
  const Division good = loop.shares;
  int bad = 0;
  for (int i = 0; i < 200; ++i) {
    const double second = loop.shares.items_of(1) > 10 ? 1 : 1000;
    loop.look({100, second}, 5, 0);
    bad += loop.shares == good ? 0 : 1;
  }
  CHECK(loop.changes >= 2);
  CHECK(bad < 20);
}

TEST_CASE("weights count, and members without items do not disturb") {
  DeclaredDomain slices{.name = "rows", .items = 4, .weights = {9, 1, 1, 1}};
  Rebalance rebalance(slices);
  Division shares({{2, 2, 0}});
  const auto never = [](const Division&) { return 0.0; };
  const std::vector<double> took{10, 2, 0};
  const auto next = rebalance.look(shares, {.count = 1, .each_s = 10, .computing_s = took}, never);
  REQUIRE(next);
  CHECK(next->shares() == std::vector<std::int64_t>{1, 3, 0});
  CHECK_FALSE(
      Rebalance(slices).look(shares, {.count = 1, .each_s = 0, .computing_s = std::vector<double>{0, 0, 0}}, never));
}

// So many times as long as was expected of a speed of 1e9.
KernelWork slower(double factor, double seconds = 1) {
  return {.operations = seconds / factor * 1e9, .seconds = seconds, .speed = 1e9};
}

}  // namespace

namespace tombolo {}  // namespace tombolo

TEST_CASE("a run belies speeds that are off by more than a factor, in either direction") {
  CHECK_FALSE(belied_speed({}));
  CHECK_FALSE(belied_speed(std::vector{slower(1), slower(1.49), slower(0.68)}));
  const auto slow = belied_speed(std::vector{slower(1), slower(1.6), slower(1)});
  REQUIRE(slow);
  CHECK(slow->rank == 1);
  CHECK(slow->factor == Approx(1.6));
  const auto fast = belied_speed(std::vector{slower(1.6), slower(1), slower(0.25)});
  REQUIRE(fast);
  CHECK(fast->rank == 2);
  CHECK(fast->factor == Approx(0.25));
  CHECK_FALSE(belied_speed(std::vector{slower(1.6)}, 2));
  CHECK(belied_speed(std::vector{slower(1.2)}, 1.1));
}

TEST_CASE("ranks that did next to nothing say nothing of their speed") {
  const KernelWork nothing;
  const KernelWork no_speed{.operations = 1e9, .seconds = 5};
  const KernelWork no_operations{.seconds = 5, .speed = 1e9};
  CHECK_FALSE(belied_speed(std::vector{nothing, no_speed, no_operations, slower(9, 0.005)}));
  CHECK(belied_speed(std::vector{nothing, slower(9, 0.02)})->rank == 1);
}
