#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/clustering/landmarks.hpp>

#include "platform/grid.hpp"

using namespace tombolo;

namespace {

constexpr double bound = 0.2;

struct Found {
  HostGroup groups;
  std::set<int> landmarks;
  int rounds = 0;
};

// As a discovery does it: what landmarks see says which other ones are missing.
Found find_by_landmarks(const Grid& grid, Random& random, const Noise& noise, std::size_t first) {
  std::vector<int> candidates(static_cast<std::size_t>(grid.hosts()));
  std::iota(candidates.begin(), candidates.end(), 0);
  std::shuffle(candidates.begin(), candidates.end(), random);
  Found found;
  Latencies latencies(grid.hosts());
  std::vector<int> next(candidates.begin(),
                        candidates.begin() + static_cast<std::ptrdiff_t>(std::min(first, candidates.size())));
  for (; !next.empty(); ++found.rounds) {
    for (const int landmark : next) {
      CHECK(found.landmarks.insert(landmark).second);
      for (int host = 0; host < grid.hosts(); ++host) {
        if (host == landmark) continue;
        latencies.set(landmark, host, {std::llround(1e6 * grid.latency(landmark, host) * noise(random)), 0});
      }
    }
    found.groups = find_clusters(latencies, {}, bound);
    next = missing_landmarks(found.groups, latencies, found.landmarks, candidates, bound);
  }
  return found;
}

// Sites far apart, in each some clusters that the others see at nearly the same distance.
Grid random_grid(Random& random) {
  std::vector<int> sizes;
  std::vector<double> place;
  const int sites = 2 + static_cast<int>(random() % 3);
  for (int site = 0; site < sites; ++site) {
    for (auto left = 1 + random() % 3; left > 0; --left) {
      sizes.push_back(3 + static_cast<int>(random() % 30));
      place.push_back(site);
    }
  }
  const std::size_t n = sizes.size();
  std::vector<std::vector<double>> us(n, std::vector<double>(n));
  for (std::size_t a = 0; a < n; ++a) {
    us[a][a] = uniform(random, 30, 60);
    for (std::size_t b = 0; b < a; ++b) {
      const double apart = std::abs(place[a] - place[b]);
      us[a][b] = us[b][a] = apart > 0 ? 4000 * apart : uniform(random, 300, 500);
    }
  }
  Grid grid = grid_of(sizes, us);
  shuffle(grid, random);
  return grid;
}

}  // namespace

TEST_CASE("landmarks are added until all clusters are found, those without a first landmark too") {
  int found_exactly = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Grid grid = random_grid(random);
    const Found found = find_by_landmarks(grid, random, exact, 4);
    if (clusters_in(found.groups) == true_clusters(grid)) ++found_exactly;
    // Two in each cluster, and a few where the first ones were together.
    CHECK(found.landmarks.size() <= 4 + 4 * grid.us.size());
    CHECK(found.rounds <= 6);
    for (const std::vector<int>& cluster : clusters_in(found.groups)) {
      CHECK(std::count_if(cluster.begin(), cluster.end(), [&](int h) { return found.landmarks.contains(h); }) >= 2);
    }
  }
  CHECK(found_exactly >= 58);
}

TEST_CASE("hosts that differ by themselves alone take few landmarks more") {
  Random random(1);
  Grid grid = grid_of({200}, {{0}});
  for (std::size_t host = 0; host < grid.own.size(); ++host) grid.own[host] = host % 3 == 0 ? 250 : 40;
  const Found found = find_by_landmarks(grid, random, exact, 2);
  CHECK(clusters_in(found.groups).size() == 1);
  CHECK(found.landmarks.size() <= 8);
}

TEST_CASE("noise does not make everybody a landmark") {
  for (const double noise : {0.1, 0.5}) {
    Random random(2);
    const Grid grid = grid_of({150}, {{50}});
    const Found found = find_by_landmarks(grid, random, uniform_noise(noise), 6);
    CHECK(found.landmarks.size() <= 12 * clusters_in(found.groups).size());
  }
}
