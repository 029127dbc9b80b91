#include <chrono>
#include <cmath>
#include <cstdlib>

#include <catch2/catch.hpp>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/units.hpp>

#include "platform/grid.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;

namespace {

const int seeds = test::sanitized() ? 50 : 250;

// Clusters are those of the grid, and groups of clusters these.
bool finds(const Grid& grid, const Latencies& latencies, const std::vector<std::set<int>>& groups) {
  Sets wanted;
  for (const std::set<int>& group : groups) wanted.insert(hosts_of(grid, group));
  const HostGroup found = find_clusters(latencies);
  return clusters_in(found) == true_clusters(grid) && groups_in(found) == wanted;
}

// Of so many seeds, those for which the shuffled grid is not found.
int failures(const Grid& grid, const Noise& noise, const std::vector<std::set<int>>& groups, int landmarks = 0,
             int tries = seeds) {
  int failed = 0;
  for (int seed = 1; seed <= tries; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Grid shuffled = grid;
    shuffle(shuffled, random);
    failed += finds(shuffled, measure(shuffled, random, noise, landmarks), groups) ? 0 : 1;
  }
  return failed;
}

const std::vector<std::set<int>> grenoble_in_grid = {{0, 1, 2, 3, 4, 5}, {1, 2, 3}};

}  // namespace

TEST_CASE("the clusters of Table 2 are found in order, and Grenoble as a group of three") {
  Random random(1);
  const HostGroup found = find_clusters(measure(grid5000(), random));
  REQUIRE(found.groups.size() == 4);
  CHECK(found.name.empty());
  CHECK(found.hosts.size() == 78);
  CHECK(found.groups[1].groups.size() == 3);
  CHECK(clusters_in(found) == true_clusters(grid5000()));
}

TEST_CASE("noise of 5 % does not hide the clusters of Table 2") {
  CHECK(failures(grid5000(), exact, grenoble_in_grid) == 0);
  CHECK(failures(grid5000(), uniform_noise(0.05), grenoble_in_grid) == 0);
  CHECK(failures(grid5000(), normal_noise(0.05), grenoble_in_grid) == 0);
}

TEST_CASE("landmarks are enough for the clusters of Table 2") {
  CHECK(failures(grid5000(), exact, grenoble_in_grid, 40) == 0);
  CHECK(failures(grid5000(), uniform_noise(0.05), grenoble_in_grid, 40) == 0);
  CHECK(failures(grid5000(), normal_noise(0.05), grenoble_in_grid, 40) == 0);
}

TEST_CASE("slow hosts behind one switch stay one network") {
  CHECK(failures(ucd16(), exact, {}) == 0);
  CHECK(failures(ucd16(), uniform_noise(0.02), {}) == 0);
  CHECK(failures(ucd16(), normal_noise(0.02), {}) == 0);
}

TEST_CASE("such a network is one cluster in a grid too") {
  for (const double wan : {600.0, 2000.0, 10000.0}) {
    Grid grid = grid_of({16, 12, 8}, {{0, wan, 3 * wan}, {wan, 20, 2 * wan}, {3 * wan, 2 * wan, 30}});
    std::ranges::copy(ucd16().own, grid.own.begin());
    CAPTURE(wan);
    CHECK(failures(grid, exact, {{0, 1, 2}}) == 0);
    CHECK(failures(grid, normal_noise(0.02), {{0, 1, 2}}) == 0);
  }
}

TEST_CASE("equal hosts are one cluster") {
  const Grid grid = grid_of({64}, {{40}});
  CHECK(failures(grid, exact, {}) == 0);
  CHECK(failures(grid, uniform_noise(0.05), {}) == 0);
  CHECK(failures(grid, normal_noise(0.05), {}) == 0);
  CHECK(failures(grid, normal_noise(0.05), {}, 8) == 0);
}

TEST_CASE("three machines at two sites are two of one site, and one") {
  const Grid grid = grid_of({16, 16, 16}, {{18, 30018, 30015}, {30018, 18, 615}, {30015, 615, 12}});
  CHECK(failures(grid, exact, {{0, 1, 2}, {1, 2}}) == 0);
  CHECK(failures(grid, normal_noise(0.05), {{0, 1, 2}, {1, 2}}) == 0);
}

TEST_CASE("latencies that differ by less than what a message takes a processor are alike") {
  // Four sites of four hosts on one machine: 2 to 8 us inside, by chance, and milliseconds between them.
  const Grid grid = grid_of(
      {4, 4, 4, 4}, {{1, 2600, 5100, 8700}, {2600, 1, 4400, 7200}, {5100, 4400, 1, 6300}, {8700, 7200, 6300, 1}});
  int split = 0;
  int failed = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Latencies latencies = measure(grid, random, normal_noise(0.002));
    std::uniform_int_distribution<Picoseconds> inside(2'000'000, 8'000'000);
    for (int a = 0; a < 16; ++a) {
      for (int b = a + 1; b < 16; ++b) {
        if (a / 4 == b / 4) latencies.set(a, b, {.value = inside(random), .error = 0});
      }
    }
    split += clusters_in(find_clusters(latencies)) == true_clusters(grid) ? 0 : 1;
    latencies.set_overhead(6'500'000);
    failed += clusters_in(find_clusters(latencies)) == true_clusters(grid) ? 0 : 1;
  }
  CHECK(split > 0);  // or the overhead would change nothing here
  CHECK(failed == 0);
}

TEST_CASE("few hosts") {
  Random random(1);
  CHECK(find_clusters(Latencies(0)) == HostGroup{});
  CHECK(find_clusters(Latencies(1)) == HostGroup{.name = "", .hosts = {0}, .groups = {}});
  const HostGroup two = find_clusters(measure(grid_of({2}, {{100}}), random));
  CHECK(two == HostGroup{.name = "", .hosts = {0, 1}, .groups = {}});
  CHECK(finds(grid_of({2, 1}, {{600, 30000}, {30000, 0}}), measure(grid_of({2, 1}, {{600, 30000}, {30000, 0}}), random),
              {{0, 1}}));
  CHECK(find_clusters(Latencies(5)).groups.empty());  // nothing measured
}

TEST_CASE("hosts that all others see alike but are far from each other are not a cluster") {
  // A hub of eight hosts and two single hosts, 5 ms from it and 10 ms from each other.
  const Grid grid = grid_of({8, 1, 1}, {{50, 5000, 5000}, {5000, 0, 10000}, {5000, 10000, 0}});
  CHECK(failures(grid, exact, {{0, 1, 2}}) == 0);
  CHECK(failures(grid, normal_noise(0.05), {{0, 1, 2}}) == 0);
}

TEST_CASE("slow hosts of a rack are a cluster although faster racks are nearer to each of them") {
  // Hosts of 30 us behind one switch, of 10 and 7 us behind others, the last of which is far away.
  Grid grid = grid_of({5, 5, 7}, {{0, 4, 41}, {4, 0, 43}, {41, 43, 0}});
  for (std::size_t i = 0; i < grid.own.size(); ++i) grid.own[i] = i < 5 ? 30 : i < 10 ? 10 : 7;
  int failed = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Grid shuffled = grid;
    shuffle(shuffled, random);
    for (const double noise : {0.0, 0.02}) {
      const Sets found = clusters_in(find_clusters(measure(shuffled, random, normal_noise(noise))));
      failed += found == true_clusters(shuffled) ? 0 : 1;
    }
  }
  CHECK(failed == 0);
}

TEST_CASE("no structure is invented for hosts that have none") {
  int single = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<std::vector<double>> us(12, std::vector<double>(12));
    for (std::size_t i = 0; i < 12; ++i) {
      for (std::size_t j = i + 1; j < 12; ++j) us[i][j] = us[j][i] = uniform(random, 1000, 2500);
    }
    const Grid grid = grid_of(std::vector<int>(12, 1), us);
    single += find_clusters(measure(grid, random)).groups.empty() ? 1 : 0;
  }
  CHECK(single >= 0.97 * seeds);  // some of them agree by chance
}

TEST_CASE("a thousand hosts are partitioned in little time, from their latencies to 48 landmarks") {
  constexpr int sites = 16;
  for (int seed = 1; seed <= 5; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<std::vector<double>> us(sites, std::vector<double>(sites));
    for (std::size_t i = 0; i < sites; ++i) {
      us[i][i] = uniform(random, 20, 80);
      for (std::size_t j = i + 1; j < sites; ++j) us[i][j] = us[j][i] = uniform(random, 1000, 20000);
    }
    Grid grid = grid_of(std::vector<int>(sites, 64), us);
    shuffle(grid, random);
    for (const Noise& noise : {exact, normal_noise(0.05)}) {
      const Latencies latencies = measure(grid, random, noise, 48);
      const auto begin = std::chrono::steady_clock::now();
      const Sets found = clusters_in(find_clusters(latencies));
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      CHECK((found == true_clusters(grid)));
      if (std::getenv("TOMBOLO_TIMES")) WARN("1,024 hosts: " << took.count() << " s");
    }
  }
}

TEST_CASE("racks, data centres and a wide area network are three levels") {
  // Two data centres of four racks each.
  std::vector<std::vector<double>> us(8, std::vector<double>(8));
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 8; ++j) us[i][j] = i == j ? 20 : i / 4 == j / 4 ? 200 : 10000;
  }
  const Grid grid = grid_of(std::vector<int>(8, 8), us);
  const std::vector<std::set<int>> groups = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}};
  CHECK(failures(grid, exact, groups, 0, 100) == 0);
  CHECK(failures(grid, normal_noise(0.05), groups, 0, 100) == 0);
  CHECK(failures(grid, normal_noise(0.05), groups, 24, 100) == 0);
}

TEST_CASE("random hierarchies are found") {
  int failed = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<int> sizes;
    std::vector<std::size_t> site;
    std::vector<std::set<int>> groups(1);
    const std::size_t sites = 2 + random() % 4;
    std::vector<double> campus;
    for (std::size_t s = 0; s < sites; ++s) {
      campus.push_back(uniform(random, 150, 400));
      std::set<int> members;
      for (std::size_t c = 1 + random() % 3; c > 0; --c) {
        members.insert(static_cast<int>(sizes.size()));
        groups.front().insert(static_cast<int>(sizes.size()));
        site.push_back(s);
        sizes.push_back(static_cast<int>(2 + random() % 14));
      }
      if (members.size() > 1) groups.push_back(members);
    }
    std::vector<std::vector<double>> wan(sites, std::vector<double>(sites));
    for (std::size_t i = 0; i < sites; ++i) {
      for (std::size_t j = i + 1; j < sites; ++j) wan[i][j] = wan[j][i] = uniform(random, 1500, 30000);
    }
    std::vector<std::vector<double>> us(sizes.size(), std::vector<double>(sizes.size()));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double apart = site[i] == site[j] ? campus[site[i]] : wan[site[i]][site[j]];
        us[i][j] = us[j][i] = i == j ? uniform(random, 15, 90) : apart;
      }
    }
    Grid grid = grid_of(sizes, us);
    shuffle(grid, random);
    // Sites that happen to be near each other and equally far from all others are one group more.
    const HostGroup found = find_clusters(measure(grid, random, normal_noise(0.05)));
    const bool right = clusters_in(found) == true_clusters(grid) && std::ranges::all_of(groups, [&](const auto& group) {
                         return groups_in(found).contains(hosts_of(grid, group));
                       });
    if (!right) UNSCOPED_INFO("seed " << seed);
    failed += right ? 0 : 1;
  }
  CHECK(failed == 0);
}

TEST_CASE("stated levels are taken as they are, and measuring decides inside them") {
  Random random(1);
  Grid grid = grid5000();
  shuffle(grid, random);
  const Latencies latencies = measure(grid, random, normal_noise(0.05));

  SECTION("Grenoble as one site") {
    StatedLevels stated(grid.cluster.size());
    for (const int host : hosts_of(grid, {1, 2, 3})) stated[static_cast<std::size_t>(host)] = {"grenoble"};
    const HostGroup found = find_clusters(latencies, stated);
    CHECK(clusters_in(found) == true_clusters(grid));
    REQUIRE(found.groups.size() == 4);
    const auto grenoble = std::ranges::find(found.groups, "grenoble", &HostGroup::name);
    REQUIRE(grenoble != found.groups.end());
    CHECK(grenoble->hosts == hosts_of(grid, {1, 2, 3}));
    CHECK(grenoble->groups.size() == 3);
  }
  SECTION("sites that measuring would not find") {
    StatedLevels stated;
    for (const int cluster : grid.cluster) {
      stated.push_back(cluster == 0 ? std::vector<std::string>{"north", "c1"}
                                    : std::vector<std::string>{cluster == 5 ? "east" : "south"});
    }
    const HostGroup found = find_clusters(latencies, stated);
    REQUIRE(found.groups.size() == 3);
    for (const HostGroup& site : found.groups) {
      if (site.name == "north/c1") CHECK((site.hosts == hosts_of(grid, {0}) && site.groups.empty()));
      if (site.name == "south") CHECK((site.hosts == hosts_of(grid, {1, 2, 3, 4}) && site.groups.size() == 2));
      if (site.name == "east") CHECK((site.hosts == hosts_of(grid, {5}) && site.groups.empty()));
    }
    CHECK(found.groups[0].hosts.front() == 0);
  }
  SECTION("two names for what would be one cluster") {
    StatedLevels stated(grid.cluster.size());
    int count = 0;
    for (const int host : hosts_of(grid, {0})) {
      stated[static_cast<std::size_t>(host)] = {"orsay", ++count <= 5 ? "a" : "b"};
    }
    const HostGroup found = find_clusters(latencies, stated);
    CHECK(clusters_in(found).size() == 7);
    CHECK(groups_in(found).contains(hosts_of(grid, {0})));
  }
}

TEST_CASE("a bound that is not positive is an error") {
  for (const double bound : {0.0, -0.2, std::nan("")}) CHECK_THROWS_AS(find_clusters(Latencies(2), {}, bound), Error);
}
