#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <catch2/catch.hpp>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/latencies.hpp>

#include "platform/grid.hpp"

using namespace tombolo;

namespace {

// What ranks that wait for a core make of latencies: every pair is late by about so much, in us, some by four times as
// much, and its error says so, by and large.
Latencies measure_late(const Grid& grid, Random& random, double late, double often = 0.05) {
  Latencies latencies(grid.hosts());
  latencies.set_overhead(3'500'000);
  for (int a = 0; a < grid.hosts(); ++a) {
    for (int b = a + 1; b < grid.hosts(); ++b) {
      const double worse = uniform(random, 0, 1) < often ? 4 : 1;
      const double by = uniform(random, 0, late) * worse;
      const double error = uniform(random, 0.5, 1) * std::max(by, late / 2);
      latencies.set(a, b, {.value = std::llround(1e6 * (grid.latency(a, b) + by)), .error = std::llround(1e6 * error)});
    }
  }
  return latencies;
}

Grid sites(int of, double inside = 2) {
  return grid_of(
      {of, of, of, of},
      {{inside, 2500, 5000, 8600}, {2500, inside, 4300, 7100}, {5000, 4300, inside, 6200}, {8600, 7100, 6200, inside}});
}

int failures(const Grid& grid, double late, int tries) {
  int failed = 0;
  for (int seed = 1; seed <= tries; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Grid shuffled = grid;
    shuffle(shuffled, random);
    const Latencies latencies = measure_late(shuffled, random, late);
    failed += clusters_in(find_clusters(latencies)) == true_clusters(shuffled) ? 0 : 1;
  }
  return failed;
}

std::vector<int> all_of(const Grid& grid) {
  std::vector<int> hosts(grid.cluster.size());
  std::iota(hosts.begin(), hosts.end(), 0);
  return hosts;
}

}  // namespace

TEST_CASE("sites are found although waiting for cores makes local latencies differ many times over") {
  for (const int of : {3, 5, 11, 23}) {
    for (const double late : {0.0, 3.0, 10.0, 30.0, 100.0}) {
      CAPTURE(of, late);
      CHECK(failures(sites(of), late, 10) == 0);
    }
  }
}

TEST_CASE("switches that differ by more than the errors are told apart") {
  const Grid grid = grid_of({12, 12, 9}, {{50, 90, 3000}, {90, 50, 3000}, {3000, 3000, 50}});
  for (const double late : {0.0, 1.0, 3.0}) {
    CAPTURE(late);
    CHECK(failures(grid, late, 20) == 0);
  }
}

TEST_CASE("noise of long links does not hide what is between near hosts") {
  const Grid grid = grid_of({8, 8, 8}, {{50, 90, 9000}, {90, 50, 9000}, {9000, 9000, 50}});
  for (int seed = 1; seed <= 20; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Latencies latencies = measure_late(grid, random, 1);
    for (int a = 0; a < 16; ++a) {
      for (int b = 16; b < 24; ++b) {
        latencies.set(a, b, {.value = std::llround(uniform(random, 9e9, 9.5e9)), .error = 500'000'000});
      }
    }
    CHECK(clustering::noise_floor(latencies, all_of(grid), 0.2) < 10'000'000);
    CHECK(clusters_in(find_clusters(latencies)) == true_clusters(grid));
  }
}

TEST_CASE("a moment in which all long messages were late hides nothing") {
  const Grid grid = grid_of(
      {4, 4, 4, 4}, {{50, 2500, 5000, 8600}, {2500, 50, 4400, 7200}, {5000, 4400, 50, 6300}, {8600, 7200, 6300, 50}});
  for (int seed = 1; seed <= 20; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Latencies latencies = measure_late(grid, random, 1);
    CHECK_FALSE(were_disturbed(latencies));
    for (int a = 0; a < 16; ++a) {
      for (int b = a + 1; b < 16; ++b) {
        const auto found = latencies.between(a, b);
        if (found->value < 1'000'000'000 || random() % 4 != 0) continue;
        latencies.set(a, b, {.value = found->value + 300'000'000, .error = std::llround(uniform(random, 1e10, 4e10))});
      }
    }
    CHECK(were_disturbed(latencies));
    CHECK(clustering::noise_floor(latencies, all_of(grid), 0.2) < 10'000'000);
    CHECK(clusters_in(find_clusters(latencies)) == true_clusters(grid));
  }
}

TEST_CASE("the noise floor is none of exact figures, and grows with the errors of short ones") {
  Random random(1);
  for (const int of : {1, 2, 3, 7, 22}) {
    const Grid grid = sites(of);
    CHECK(clustering::noise_floor(measure(grid, random), all_of(grid), 0.2) == 0);
    Picoseconds before = 0;
    for (const double late : {10.0, 100.0, 1000.0}) {
      const Picoseconds now = clustering::noise_floor(measure_late(grid, random, late), all_of(grid), 0.2);
      CHECK(now > before);
      CHECK(static_cast<double>(now) <= 2e6 * 4 * late);
      before = now;
    }
  }
  CHECK(clustering::noise_floor(Latencies(3), {0, 1, 2}, 0.2) == 0);
  CHECK(clustering::noise_floor(Latencies(0), {}, 0.2) == 0);
}

TEST_CASE("doubtful pairs are those with the largest errors, and every host keeps half of its pairs") {
  for (int seed = 1; seed <= 20; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const int hosts = 1 + static_cast<int>(random() % 30);
    const Grid grid = grid_of({hosts}, {{20}});
    const Latencies latencies = measure_late(grid, random, uniform(random, 0, 50));
    const std::vector<bool> doubtful = clustering::doubtful_pairs(latencies, all_of(grid), 0.2, latencies.overhead());
    for (int a = 0; a < hosts; ++a) {
      int kept = 0;
      for (int b = 0; b < hosts; ++b) {
        const auto at = static_cast<std::size_t>(a * hosts + b);
        CHECK(doubtful[at] == doubtful[static_cast<std::size_t>(b * hosts + a)]);
        if (a == b) continue;
        kept += doubtful[at] ? 0 : 1;
        if (!doubtful[at]) continue;
        const Measured found = latencies.between(a, b).value_or(Measured{});
        CHECK(static_cast<double>(found.error) > 0.2 * static_cast<double>(found.value));
      }
      CHECK(kept >= (hosts - 1) / 2);
    }
  }
  const Grid exact_grid = sites(6);
  Random random(1);
  const auto none = clustering::doubtful_pairs(measure(exact_grid, random), all_of(exact_grid), 0.2, 0);
  CHECK(std::ranges::count(none, true) == 0);
}

namespace {

constexpr Picoseconds us = 1'000'000;

Latencies all_alike(int hosts, Measured one) {
  Latencies latencies(hosts);
  for (int a = 0; a < hosts; ++a) {
    for (int b = a + 1; b < hosts; ++b) latencies.set(a, b, one);
  }
  return latencies;
}

}  // namespace

TEST_CASE("pairs are unsure whose error is more than a quarter of what may differ") {
  for (const int hosts : {0, 1, 2, 3, 8, 17}) {
    const auto pairs = static_cast<std::size_t>(hosts * (hosts - 1) / 2);
    CHECK(unsure_pairs(all_alike(hosts, {.value = 50 * us, .error = 0}), 0.2).empty());
    CHECK(unsure_pairs(all_alike(hosts, {.value = 50 * us, .error = 2 * us}), 0.2).empty());
    CHECK(unsure_pairs(all_alike(hosts, {.value = 50 * us, .error = 3 * us}), 0.2).size() == pairs);
    // The same error of a long link is nothing.
    CHECK(unsure_pairs(all_alike(hosts, {.value = 5000 * us, .error = 60 * us}), 0.2).empty());
    Latencies slow_processors = all_alike(hosts, {.value = 0, .error = 3 * us});
    slow_processors.set_overhead(13 * us);
    CHECK(unsure_pairs(slow_processors, 0.2).empty());
  }
  Latencies one(4);
  one.set(3, 1, {.value = 10 * us, .error = 10 * us});
  CHECK(unsure_pairs(one, 0.2) == std::vector<HostPair>{{1, 3}});
}

TEST_CASE("as many lanes as the time takes, no more than pairs can be disjoint") {
  for (const int hosts : {2, 3, 8, 21, 88}) {
    const Latencies latencies = all_alike(hosts, {.value = 100 * us, .error = 0});
    const std::vector<HostPair> pairs = unsure_pairs(all_alike(hosts, {.value = us, .error = us}), 0.2);
    constexpr Picoseconds meeting = 1000 * us;
    const auto one_after_the_other = static_cast<Picoseconds>(pairs.size()) * (2'000 * us + meeting);
    CHECK(least_lanes(latencies, pairs, 10, meeting, one_after_the_other) == 1);
    CHECK(least_lanes(latencies, pairs, 10, meeting, one_after_the_other * 2) == 1);
    CHECK(least_lanes(latencies, pairs, 10, meeting, 1) == hosts / 2);
    if (hosts >= 8) CHECK(least_lanes(latencies, pairs, 10, meeting, one_after_the_other / 2) == 2);
  }
  CHECK(least_lanes(Latencies(0), {}, 10, us, us) == 1);
}
