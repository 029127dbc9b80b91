#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform.hpp>

/// Clusters c0, c1, ... of hosts with so many ranks each: {{1, 1, 2}, {4}} is three hosts with 4 ranks, and one with 4.
/// Ranks are dealt to the hosts in turn, so that those of a cluster are not consecutive. No figures.
inline tombolo::Platform clusters_of_hosts(const std::vector<std::vector<int>>& clusters) {
  using Kind = tombolo::Level::Kind;
  struct Place {
    std::size_t cluster;
    std::size_t host;
    int left;
    std::vector<tombolo::Rank> ranks = {};
  };
  std::vector<Place> places;
  for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
    for (std::size_t host = 0; host < clusters[cluster].size(); ++host) {
      places.push_back({cluster, host, clusters[cluster][host]});
    }
  }
  tombolo::Platform platform;
  for (bool more = true; more;) {
    more = false;
    for (Place& place : places) {
      if (place.left-- <= 0) continue;
      more = true;
      place.ranks.push_back(platform.ranks());
      platform.processors.emplace_back().host = fmt::format("h{}.{}", place.cluster, place.host);
    }
  }
  std::vector<tombolo::Level> levels(clusters.size());
  std::vector<tombolo::Rank> all;
  for (const Place& place : places) {
    tombolo::Level host{Kind::host, fmt::format("h{}.{}", place.cluster, place.host), place.ranks, {}};
    platform.hosts.emplace_back().name = host.name;
    tombolo::Level& level = levels[place.cluster];
    level.kind = Kind::cluster;
    level.name = fmt::format("c{}", place.cluster);
    level.ranks.insert(level.ranks.end(), place.ranks.begin(), place.ranks.end());
    std::sort(level.ranks.begin(), level.ranks.end());
    level.children.push_back(host);
    all.insert(all.end(), place.ranks.begin(), place.ranks.end());
  }
  std::sort(all.begin(), all.end());
  platform.levels = levels.size() == 1 ? levels.front() : tombolo::Level{Kind::group, "all", all, levels};
  for (int a = 0; a < static_cast<int>(levels.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(levels.size()); ++b) {
      tombolo::Link& link = platform.links.emplace_back();
      link.a = a;
      link.b = b;
    }
  }
  return platform;
}

/// One cluster of so many hosts, a rank on each.
inline tombolo::Platform flat_cluster(int ranks) {
  return clusters_of_hosts({std::vector<int>(static_cast<std::size_t>(ranks), 1)});
}

/// 2, 3, 5, 8 and 16 ranks on one host each; several clusters, several ranks on a host, clusters of one rank, of two.
inline std::vector<tombolo::Platform> test_platforms() {
  std::vector<tombolo::Platform> platforms;
  for (const int ranks : {2, 3, 5, 8, 16}) platforms.push_back(flat_cluster(ranks));
  for (const std::vector<std::vector<int>>& clusters :
       std::vector<std::vector<std::vector<int>>>{{{1, 1, 1, 1}, {1, 1, 1}},
                                                  {{2, 2, 1}, {4, 4}, {1, 1, 1}},
                                                  {{1}, {1, 1, 1, 1}, {1}},
                                                  {{2}, {1, 1}, {3, 1, 1}},
                                                  {{1}, {1}},
                                                  {{1}, {1}, {1}},
                                                  {{8}}}) {
    platforms.push_back(clusters_of_hosts(clusters));
  }
  return platforms;
}
