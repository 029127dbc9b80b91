#pragma once

#include <algorithm>
#include <vector>

#include "models/figured_platform.hpp"

namespace tombolo::test {

// Clusters of so many hosts, a rank each, whose cards are no limit. `rate` gives the rate of the line between two
// clusters, which all messages share.
template <class Rate>
Platform sites(const std::vector<int>& sizes, Rate rate) {
  std::vector<std::vector<int>> hosts;
  for (const int size : sizes) hosts.emplace_back(static_cast<std::size_t>(size), 1);
  Platform platform = with_figures(clusters_of_hosts(hosts), 3);
  for (Host& host : platform.hosts) host.rate = {1'000'000'000, 0};
  for (Link& link : platform.links) {
    link.latency = {5'000'000'000, 0};
    link.rate = link.total = {rate(link.a, link.b), 0};
    link.flows = std::min(sizes[static_cast<std::size_t>(link.a)], sizes[static_cast<std::size_t>(link.b)]);
  }
  return platform;
}

}  // namespace tombolo::test
