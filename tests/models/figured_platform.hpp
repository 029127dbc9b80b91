#pragma once

#include <random>

#include "models/test_platforms.hpp"

/// Figures as a discovery finds them on slow networks, where bytes count: 10 to 100 us and 10 to 100 MB/s between hosts
/// of a cluster, whose hosts are alike, 1 to 10 ms between clusters; nothing is shared but ports.
inline tombolo::Platform with_figures(tombolo::Platform platform, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const bool several = platform.levels.kind == tombolo::Level::Kind::group;
  for (tombolo::Processor& processor : platform.processors) {
    processor.ranks_on_host =
        static_cast<int>(std::count_if(platform.processors.begin(), platform.processors.end(),
                                       [&](const auto& other) { return other.host == processor.host; }));
    processor.send_overhead = between(500'000, 3'000'000);
    processor.receive_overhead = between(500'000, 3'000'000);
  }
  const auto fill = [&](tombolo::Level& cluster) {
    cluster.latency = {between(10'000'000, 100'000'000), 0};
    const tombolo::BytesPerSecond port = between(10'000'000, 100'000'000);
    for (tombolo::Level& host : cluster.children) {
      host.latency = {between(300'000, 1'000'000), 0};
      host.rate = {between(5'000'000'000, 9'000'000'000), 0};
      for (tombolo::Host& one : platform.hosts) {
        if (one.name == host.name) one.rate = {port, 0};
      }
    }
  };
  if (several) {
    for (tombolo::Level& cluster : platform.levels.children) fill(cluster);
  } else {
    fill(platform.levels);
  }
  for (tombolo::Link& link : platform.links) {
    link.latency = {between(1'000'000'000, 10'000'000'000), 0};
    link.rate = {between(10'000'000, 90'000'000), 0};
  }
  return platform;
}
