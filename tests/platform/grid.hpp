#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/latencies.hpp>

/// Imagined platforms whose clusters are known.
struct Grid {
  std::vector<int> cluster;             ///< of every host
  std::vector<std::vector<double>> us;  ///< latency between clusters, inside on the diagonal
  std::vector<double> own;              ///< of every host, beside that; us

  int hosts() const { return static_cast<int>(cluster.size()); }
  double latency(int a, int b) const {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    return us[static_cast<std::size_t>(cluster[i])][static_cast<std::size_t>(cluster[j])] + own[i] + own[j];
  }
};

using Random = std::mt19937_64;
using Noise = std::function<double(Random&)>;  // what to multiply a latency with

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline const Noise exact = [](Random&) { return 1.0; };
inline Noise uniform_noise(double width) {
  return [width](Random& random) { return uniform(random, 1 - width, 1 + width); };
}
inline Noise normal_noise(double sigma) {
  return [sigma](Random& random) { return std::max(0.01, std::normal_distribution<double>(1, sigma)(random)); };
}

inline Grid grid_of(const std::vector<int>& sizes, std::vector<std::vector<double>> us) {
  Grid grid;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    for (int i = 0; i < sizes[c]; ++i) grid.cluster.push_back(static_cast<int>(c));
  }
  grid.us = std::move(us);
  grid.own.assign(grid.cluster.size(), 0);
  return grid;
}

inline void shuffle(Grid& grid, Random& random) {
  std::vector<std::size_t> order(grid.cluster.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::shuffle(order, random);
  const Grid before = grid;
  for (std::size_t i = 0; i < order.size(); ++i) {
    grid.cluster[i] = before.cluster[order[i]];
    grid.own[i] = before.own[order[i]];
  }
}

/// All pairs; or only those of some hosts, the landmarks, with all hosts: two of each cluster that has two, so that its
/// inside is known, and others at random.
inline tombolo::Latencies measure(const Grid& grid, Random& random, const Noise& noise = exact, int landmarks = 0) {
  std::vector<int> order(grid.cluster.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  std::map<int, int> taken;
  std::ranges::stable_partition(order,
                                [&](int host) { return ++taken[grid.cluster[static_cast<std::size_t>(host)]] <= 2; });
  std::vector<bool> landmark(order.size(), landmarks == 0);
  for (int i = 0; i < std::min(landmarks, grid.hosts()); ++i)
    landmark[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;

  tombolo::Latencies latencies(grid.hosts());
  for (int a = 0; a < grid.hosts(); ++a) {
    for (int b = a + 1; b < grid.hosts(); ++b) {
      if (!landmark[static_cast<std::size_t>(a)] && !landmark[static_cast<std::size_t>(b)]) continue;
      latencies.set(a, b, {.value = std::llround(1e6 * grid.latency(a, b) * noise(random)), .error = 0});
    }
  }
  return latencies;
}

/// Sets of hosts: what a partition is when order does not count.
using Sets = std::set<std::vector<int>>;

inline Sets true_clusters(const Grid& grid) {
  std::vector<std::vector<int>> members(grid.us.size());
  for (int i = 0; i < grid.hosts(); ++i) {
    members[static_cast<std::size_t>(grid.cluster[static_cast<std::size_t>(i)])].push_back(i);
  }
  Sets found(members.begin(), members.end());
  found.erase(std::vector<int>());
  return found;
}

inline void collect(const tombolo::HostGroup& group, Sets& clusters, Sets& groups) {
  (group.groups.empty() ? clusters : groups).insert(group.hosts);
  for (const tombolo::HostGroup& inner : group.groups) collect(inner, clusters, groups);
}

inline Sets clusters_in(const tombolo::HostGroup& group) {
  Sets clusters;
  Sets groups;
  collect(group, clusters, groups);
  return clusters;
}

inline Sets groups_in(const tombolo::HostGroup& group) {
  Sets clusters;
  Sets groups;
  collect(group, clusters, groups);
  return groups;
}

/// The hosts of some true clusters.
inline std::vector<int> hosts_of(const Grid& grid, const std::set<int>& clusters) {
  std::vector<int> found;
  for (int i = 0; i < grid.hosts(); ++i) {
    if (clusters.contains(grid.cluster[static_cast<std::size_t>(i)])) found.push_back(i);
  }
  return found;
}

/// Grid'5000, 2007: latencies of Table 2 of the adaptive framework paper. C1 C21 C22 C23 C3 C4.
inline Grid grid5000() {
  return grid_of({20, 11, 1, 7, 20, 19}, {{48.39, 6577.49, 6592.51, 6586.49, 5211.94, 8602.73},
                                          {6577.49, 35.52, 59.96, 59.96, 5387.48, 2736.56},
                                          {6592.51, 59.96, 0, 79.51, 5405.78, 2745.98},
                                          {6586.49, 59.96, 79.51, 60.08, 5393.98, 2740.26},
                                          {5211.94, 5387.48, 5405.78, 5393.98, 26.94, 3630.51},
                                          {8602.73, 2736.56, 2745.98, 2740.26, 3630.51, 35.04}});
}

/// lab/platforms/ucd16.xml: sixteen hosts behind one switch.
inline Grid ucd16() {
  Grid grid = grid_of({16}, {{0}});
  grid.own = {62, 62, 61, 61, 61, 61, 61, 61, 40.6, 40.6, 247, 62, 54, 36.4, 36.4, 36.4};
  return grid;
}
