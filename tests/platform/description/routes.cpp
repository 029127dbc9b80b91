#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/routes.hpp>

#include "platform/random_platform.hpp"

using namespace tombolo;

namespace {

bool has(const Level& level, Rank rank) {
  return std::find(level.ranks.begin(), level.ranks.end(), rank) != level.ranks.end();
}

/// The innermost level from `level` inwards, not deeper than `deepest`, that has both ranks.
const Level& innermost(const Level& level, Rank a, Rank b, Level::Kind deepest = Level::Kind::core) {
  for (const Level& child : level.children) {
    if (child.kind <= deepest && has(child, a) && has(child, b)) return innermost(child, a, b, deepest);
  }
  return level;
}

const Host& host_of(const Platform& platform, Rank rank) {
  const std::string& name = platform.processors[static_cast<std::size_t>(rank)].host;
  return *std::find_if(platform.hosts.begin(), platform.hosts.end(), [&](const Host& h) { return h.name == name; });
}

const Link& link_of(const Platform& platform, Rank a, Rank b) {
  const auto all = clusters(platform.levels);
  return *std::find_if(platform.links.begin(), platform.links.end(), [&](const Link& link) {
    const Level& x = *all[static_cast<std::size_t>(link.a)];
    const Level& y = *all[static_cast<std::size_t>(link.b)];
    return (has(x, a) && has(y, b)) || (has(x, b) && has(y, a));
  });
}

/// As the structs define it, by looking through everything.
Picoseconds plain_latency(const Platform& platform, Rank a, Rank b) {
  if (a == b) return 0;
  const Level& both = innermost(platform.levels, a, b);
  if (both.kind >= Level::Kind::host) return both.latency.value;
  const Picoseconds own = host_of(platform, a).latency.value + host_of(platform, b).latency.value;
  return own + (both.kind == Level::Kind::cluster ? both.latency.value : link_of(platform, a, b).latency.value);
}

BytesPerSecond plain_rate(const Platform& platform, Rank a, Rank b) {
  const Level& both = innermost(platform.levels, a, b);
  if (both.kind >= Level::Kind::host) return both.rate.value;
  std::vector<BytesPerSecond> rates = {host_of(platform, a).rate.value, host_of(platform, b).rate.value};
  if (both.kind == Level::Kind::group) rates.push_back(link_of(platform, a, b).rate.value);
  std::sort(rates.begin(), rates.end());
  const auto known = std::upper_bound(rates.begin(), rates.end(), 0);
  return known == rates.end() ? 0 : *known;
}

}  // namespace

TEST_CASE("routes say what the platform defines, for every pair of ranks") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed * 7 % 40));
    const Routes routes(platform);
    const auto all = clusters(platform.levels);
    int wrong = 0;
    for (Rank a = 0; a < platform.ranks(); ++a) {
      CHECK(has(*all[static_cast<std::size_t>(routes.cluster_of(a))], a));
      CHECK(platform.hosts[static_cast<std::size_t>(routes.host_of(a))] == host_of(platform, a));
      for (Rank b = 0; b < platform.ranks(); ++b) {
        wrong += routes.latency(a, b) == plain_latency(platform, a, b) ? 0 : 1;
        if (a != b) wrong += routes.rate(a, b) == plain_rate(platform, a, b) ? 0 : 1;
      }
    }
    INFO("seed " << seed);
    CHECK(wrong == 0);
  }
}

TEST_CASE("routes of a small platform, by hand") {
  const Platform platform = small_platform();
  const Routes routes(platform);
  CHECK(routes.latency(0, 0) == 0);
  CHECK(routes.latency(0, 1) == 400'000);
  CHECK(routes.latency(0, 2) == 5'000'000 + 30'000'000);
  CHECK(routes.latency(1, 3) == 5'000'000 + 60'000'000 + 7'000'000);
  CHECK(routes.latency(3, 4) == 7'000'000 + 4'100'000'000);
  CHECK(routes.rate(0, 1) == 5'000'000'000);
  CHECK(routes.rate(0, 2) == 125'000'000);
  CHECK(routes.rate(2, 4) == 40'000'000);
  CHECK(routes.rate(3, 4) == 0);
}

TEST_CASE("the ends of a message inside a host take part of its latency, those of others come on top") {
  Platform platform = small_platform();
  for (Processor& processor : platform.processors) {
    processor.send_overhead = 300'000;
    processor.receive_overhead = 150'000;
  }
  const Routes routes(platform);
  CHECK(routes.send_overhead(0, 2) == 300'000);
  CHECK(routes.receive_overhead(0, 2) == 150'000);
  CHECK(routes.transit(0, 2) == 300'000 + 35'000'000);
  CHECK(routes.send_overhead(0, 1) == 200'000);  // half of 400 ns
  CHECK(routes.receive_overhead(0, 1) == 150'000);
  CHECK(routes.transit(0, 1) == 250'000);
  CHECK(routes.transit(0, 0) == 300'000);
}
