#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "models/test_platforms.hpp"

/// More than any matrix takes.
inline constexpr tombolo::Bytes plenty = std::numeric_limits<tombolo::Bytes>::max();

/// The same for every rank.
inline std::vector<std::int64_t> all_of(const tombolo::Platform& platform, std::int64_t value) {
  return std::vector<std::int64_t>(platform.processors.size(), value);
}

/// A rank on each of so many hosts of clusters, with ports of so many bytes per second and nothing else known.
inline tombolo::Platform with_ports(const std::vector<std::vector<int>>& clusters, tombolo::BytesPerSecond port) {
  tombolo::Platform platform = clusters_of_hosts(clusters);
  for (tombolo::Host& host : platform.hosts) host.rate = {port, 0};
  return platform;
}
