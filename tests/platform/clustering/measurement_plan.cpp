#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/measurement_plan.hpp>

#include "platform/grid.hpp"

using namespace tombolo;

namespace {

using Random = std::mt19937_64;

int below(Random& random, int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

// Groups of groups, to any depth; every cluster has some hosts, numbered as a walk meets them.
HostGroup random_group(Random& random, int depth, int& next) {
  HostGroup group;
  if (depth == 0 || below(random, 4) == 0) {
    for (int h = below(random, 3); h >= 0; --h) group.hosts.push_back(next++);
    return group;
  }
  for (int c = 2 + below(random, 4); c > 0; --c) {
    group.groups.push_back(random_group(random, depth - 1, next));
    const std::vector<int>& inner = group.groups.back().hosts;
    group.hosts.insert(group.hosts.end(), inner.begin(), inner.end());
  }
  return group;
}

// The clusters below every group, by number, groups and clusters alike.
std::vector<std::set<int>> clusters_below(const HostGroup& group, int& next) {
  if (group.groups.empty()) return {{next++}};
  std::vector<std::set<int>> found(1);
  for (const HostGroup& child : group.groups) {
    const auto inner = clusters_below(child, next);
    found.front().insert(inner.front().begin(), inner.front().end());
    found.insert(found.end(), inner.begin(), inner.end());
  }
  return found;
}

}  // namespace

TEST_CASE("one cluster has no links, and two have one") {
  CHECK(link_rounds({.name = "", .hosts = {0, 1}, .groups = {}}).empty());
  const HostGroup one{.name = "", .hosts = {0}, .groups = {}};
  const HostGroup other{.name = "", .hosts = {1}, .groups = {}};
  const auto rounds = link_rounds({.name = "", .hosts = {0, 1}, .groups = {one, other}});
  CHECK(rounds == std::vector<std::vector<std::pair<int, int>>>{{{0, 1}}});
}

TEST_CASE("every pair of clusters is in one round, and in a round nothing leaves a group twice") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    int hosts = 0;
    const HostGroup groups = random_group(random, 1 + below(random, 3), hosts);
    int clusters = 0;
    const auto below_groups = clusters_below(groups, clusters);

    std::set<std::pair<int, int>> seen;
    bool sound = true;
    for (const auto& round : link_rounds(groups)) {
      CHECK_FALSE(round.empty());
      for (const auto& [a, b] : round) {
        sound = sound && 0 <= a && a < b && b < clusters && seen.emplace(a, b).second;
      }
      // Clusters are groups too, so pairs are disjoint. A group from which a pair leaves has nothing else under way.
      for (const std::set<int>& group : below_groups) {
        const auto leaving = std::count_if(round.begin(), round.end(), [&](const auto& pair) {
          return group.contains(pair.first) != group.contains(pair.second);
        });
        const auto touching = std::count_if(round.begin(), round.end(), [&](const auto& pair) {
          return group.contains(pair.first) || group.contains(pair.second);
        });
        sound = sound && (leaving == 0 || touching == 1);
      }
    }
    CHECK(sound);
    CHECK(seen.size() == static_cast<std::size_t>(clusters) * static_cast<std::size_t>(clusters - 1) / 2);
  }
}

TEST_CASE("clusters of different groups are measured at the same time") {
  // Four sites of two clusters: one round inside, and three tournament rounds of four pairs of clusters each.
  HostGroup sites;
  for (int site = 0; site < 4; ++site) {
    HostGroup group;
    for (int c = 0; c < 2; ++c) group.groups.push_back({.name = "", .hosts = {2 * site + c}, .groups = {}});
    sites.groups.push_back(group);
  }
  const auto rounds = link_rounds(sites);
  CHECK(rounds.size() == 1 + 3 * 4);
  CHECK(rounds.front().size() == 4);
  CHECK(std::all_of(rounds.begin() + 1, rounds.end(), [](const auto& round) { return round.size() == 2; }));
}

// By pair of clusters: the two groups of the innermost group with both, as the lowest clusters in them.
std::map<std::pair<int, int>, std::pair<int, int>> ways(const HostGroup& groups) {
  std::map<std::pair<int, int>, std::pair<int, int>> found;
  const auto spans = spans_of(groups);
  for (const GroupSpan& group : spans) {
    for (const std::size_t one : group.children) {
      for (const std::size_t other : group.children) {
        for (int a = spans[one].first; a < spans[one].end; ++a) {
          for (int b = spans[other].first; b < spans[other].end && one < other; ++b) {
            found[{a, b}] = {spans[one].first, spans[other].first};
          }
        }
      }
    }
  }
  return found;
}

TEST_CASE("the first rounds hold the fastest pair of every two groups, which stands in for the others") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    int hosts = 0;
    const HostGroup groups = random_group(random, 1 + below(random, 3), hosts);
    const auto clusters = static_cast<int>(cluster_hosts(groups).size());
    std::vector<BytesPerSecond> of_clusters;
    for (int c = 0; c < clusters; ++c) of_clusters.push_back(1 + below(random, 5));
    const auto way_of = ways(groups);
    const auto [first, others] = rounds_by_group(groups, of_clusters);
    const auto both = [&](const std::pair<int, int>& pair) {
      return of_clusters[static_cast<std::size_t>(pair.first)] + of_clusters[static_cast<std::size_t>(pair.second)];
    };
    std::map<std::pair<int, int>, std::pair<int, int>> found;  // by way
    std::vector<BytesPerSecond> rates(static_cast<std::size_t>(clusters) * static_cast<std::size_t>(clusters - 1) / 2);
    bool sound = true;
    for (const auto& round : first) {
      for (const auto& pair : round) {
        sound = sound && found.emplace(way_of.at(pair), pair).second;
        rates[link_index(pair.first, pair.second, clusters)] = 1;
      }
    }
    std::size_t pairs = found.size();
    for (const auto& round : others) pairs += round.size();
    sound = sound && pairs == rates.size();
    const auto stand_in = stand_ins(groups, rates);
    for (const auto& [pair, way] : way_of) {
      sound = sound && found.contains(way) && both(pair) <= both(found.at(way));
      const auto [a, b] = found.at(way);
      sound = sound && stand_in[link_index(pair.first, pair.second, clusters)] == link_index(a, b, clusters);
    }
    CHECK(sound);
    CHECK(stand_ins(groups, std::vector<BytesPerSecond>(rates.size(), 0)).size() == rates.size());
  }
}

TEST_CASE("the hosts of clusters, as a walk meets them") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Random random(seed);
    int hosts = 0;
    const HostGroup groups = random_group(random, 3, hosts);
    int next = 0;
    for (const std::vector<int>& cluster : cluster_hosts(groups)) {
      CHECK_FALSE(cluster.empty());
      for (const int host : cluster) CHECK(host == next++);
    }
    CHECK(next == hosts);
  }
}

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
