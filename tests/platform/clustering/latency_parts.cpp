#include <cmath>

#include <catch2/catch.hpp>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/latency_parts.hpp>

#include "platform/grid.hpp"

using namespace tombolo;

namespace {

// Clusters in order, as one group.
HostGroup groups_of(const Grid& grid) {
  HostGroup whole;
  for (int c = 0; c < static_cast<int>(grid.us.size()); ++c) {
    whole.groups.push_back({.name = "", .hosts = hosts_of(grid, {c}), .groups = {}});
  }
  whole.hosts.resize(grid.cluster.size());
  std::iota(whole.hosts.begin(), whole.hosts.end(), 0);
  return whole.groups.size() == 1 ? whole.groups.front() : whole;
}

std::vector<std::vector<double>> only_between(std::size_t clusters, Random& random) {
  std::vector<std::vector<double>> us(clusters, std::vector<double>(clusters));
  for (std::size_t i = 0; i < clusters; ++i) {
    for (std::size_t j = i + 1; j < clusters; ++j) us[i][j] = us[j][i] = uniform(random, 100, 10000);
  }
  return us;
}

Grid random_grid(Random& random) {
  std::vector<int> sizes;
  for (std::size_t i = 1 + random() % 5; i > 0; --i) sizes.push_back(static_cast<int>(3 + random() % 12));
  Grid grid = grid_of(sizes, only_between(sizes.size(), random));
  for (double& own : grid.own) own = uniform(random, 10, 100);
  return grid;
}

// What the parts make of a pair, us.
double latency(const Grid& grid, const LatencyParts& parts, int a, int b) {
  const int i = grid.cluster[static_cast<std::size_t>(a)];
  const int j = grid.cluster[static_cast<std::size_t>(b)];
  const int number = static_cast<int>(grid.us.size());
  const Measured& apart = i == j ? parts.inside[static_cast<std::size_t>(i)] : parts.between[link_index(i, j, number)];
  const auto& own = parts.own;
  return static_cast<double>(own[static_cast<std::size_t>(a)].value + own[static_cast<std::size_t>(b)].value +
                             apart.value) /
         1e6;
}

// The largest relative error over all pairs.
double misses(const Grid& grid, const LatencyParts& parts) {
  double worst = 0;
  for (int a = 0; a < grid.hosts(); ++a) {
    for (int b = a + 1; b < grid.hosts(); ++b) {
      worst = std::max(worst, std::abs(latency(grid, parts, a, b) / grid.latency(a, b) - 1));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("the parts of random platforms are found again") {
  for (int seed = 1; seed <= 100; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Grid grid = random_grid(random);
    const LatencyParts parts = split_latencies(measure(grid, random), groups_of(grid));
    REQUIRE(parts.own.size() == grid.own.size());
    REQUIRE(parts.inside.size() == grid.us.size());
    REQUIRE(parts.between.size() == grid.us.size() * (grid.us.size() - 1) / 2);
    CAPTURE(seed);
    for (std::size_t i = 0; i < grid.own.size(); ++i) {
      CHECK(static_cast<double>(parts.own[i].value) / 1e6 == Approx(grid.own[i]).epsilon(1e-4));
    }
    CHECK(misses(grid, parts) < 1e-4);
  }
}

TEST_CASE("noise of single pairs is averaged away") {
  for (int seed = 1; seed <= 100; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Grid grid = random_grid(random);
    CAPTURE(seed);
    CHECK(misses(grid, split_latencies(measure(grid, random, uniform_noise(0.03)), groups_of(grid))) < 0.06);
  }
}

TEST_CASE("errors are about as large as what is missed") {
  int covered = 0;
  int all = 0;
  for (int seed = 1; seed <= 100; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Grid grid = random_grid(random);
    const LatencyParts parts = split_latencies(measure(grid, random, normal_noise(0.02)), groups_of(grid));
    for (std::size_t i = 0; i < grid.own.size(); ++i) {
      const double missed = std::abs(static_cast<double>(parts.own[i].value) - 1e6 * grid.own[i]);
      covered += missed <= static_cast<double>(parts.own[i].error) ? 1 : 0;
      CHECK(static_cast<double>(parts.own[i].error) < 20 * 1e6);
      ++all;
    }
  }
  CHECK(covered > 0.85 * all);
  CHECK(covered < all);
}

TEST_CASE("measured errors become errors of the parts") {
  Latencies latencies(4);
  for (int a = 0; a < 4; ++a) {
    for (int b = a + 1; b < 4; ++b) latencies.set(a, b, {.value = 1000, .error = 90});
  }
  const LatencyParts parts = split_latencies(latencies, {.name = "", .hosts = {0, 1, 2, 3}, .groups = {}});
  for (const Measured& own : parts.own) {
    CHECK(own.value == 500);
    CHECK(own.error > 40);
    CHECK(own.error < 90);
  }
  CHECK(parts.inside == std::vector<Measured>{{.value = 0, .error = 0}});
}

TEST_CASE("one host takes nothing, two take half each") {
  Latencies latencies(3);
  latencies.set(0, 1, {.value = 600, .error = 6});
  latencies.set(0, 2, {.value = 5300, .error = 6});
  latencies.set(1, 2, {.value = 5300, .error = 6});
  const HostGroup groups{
      .name = "",
      .hosts = {0, 1, 2},
      .groups = {{.name = "", .hosts = {0, 1}, .groups = {}}, {.name = "", .hosts = {2}, .groups = {}}}};
  const LatencyParts parts = split_latencies(latencies, groups);
  CHECK(parts.own[0].value == 300);
  CHECK(parts.own[1].value == 300);
  CHECK(parts.own[2] == Measured{});
  CHECK(parts.between[0].value == 5000);
}

TEST_CASE("no part is negative, and clusters that are far apart inside leave room for what is between them") {
  Random random(1);
  // 100 us inside both, 40 us between them.
  const Grid grid = grid_of({5, 5}, {{100, 40}, {40, 100}});
  const LatencyParts parts = split_latencies(measure(grid, random), groups_of(grid));
  CHECK(misses(grid, parts) < 1e-4);
  CHECK(parts.inside[0].value > 0);
  CHECK(parts.between[0].value >= 0);
  // The slow host of a triangle that is longer by one side than by both others cannot take less than nothing.
  Latencies triangle(3);
  triangle.set(0, 1, {.value = 100, .error = 0});
  triangle.set(0, 2, {.value = 100, .error = 0});
  triangle.set(1, 2, {.value = 1000, .error = 0});
  for (const Measured& own : split_latencies(triangle, {.name = "", .hosts = {0, 1, 2}, .groups = {}}).own) {
    CHECK(own.value >= 0);
  }
}

TEST_CASE("Table 2 is met by its parts, up to what does not fit inside its clusters") {
  Random random(1);
  const Grid grid = grid5000();
  CHECK(misses(grid, split_latencies(measure(grid, random), groups_of(grid))) < 0.01);
}

TEST_CASE("a thousand hosts are split from their latencies to landmarks") {
  Random random(1);
  constexpr std::size_t sites = 16;
  Grid grid = grid_of(std::vector<int>(sites, 64), only_between(sites, random));
  for (double& own : grid.own) own = uniform(random, 10, 100);
  const LatencyParts parts = split_latencies(measure(grid, random, exact, 48), groups_of(grid));
  CHECK(misses(grid, parts) < 0.001);
}

TEST_CASE("what was not measured is filled in from what was") {
  // Clusters {0, 1, 2, 3}, {4}, {5}: host 3 was measured with 4 only, and 4 and 5 not with each other.
  Latencies latencies(6);
  for (int a = 0; a < 3; ++a) {
    for (int b = a + 1; b < 3; ++b) latencies.set(a, b, {.value = 100, .error = 0});
    latencies.set(a, 4, {.value = 1050, .error = 0});
    latencies.set(a, 5, {.value = 2050, .error = 0});
  }
  latencies.set(3, 4, {.value = 1050, .error = 0});
  const HostGroup groups{.name = "",
                         .hosts = {0, 1, 2, 3, 4, 5},
                         .groups = {{.name = "", .hosts = {0, 1, 2, 3}, .groups = {}},
                                    {.name = "", .hosts = {4}, .groups = {}},
                                    {.name = "", .hosts = {5}, .groups = {}}}};
  const LatencyParts parts = split_latencies(latencies, groups);
  CHECK(parts.own[3].value == 50);
  CHECK(parts.between[link_index(0, 1, 3)].value == 1000);
  CHECK(parts.between[link_index(1, 2, 3)].value == 3000);
  CHECK(parts.between[link_index(1, 2, 3)].error == 3000);
  CHECK(split_latencies(Latencies(0), {}).own.empty());
}
