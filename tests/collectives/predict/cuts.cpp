#include <algorithm>

#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/cuts.hpp>

#include "models/figured_platform.hpp"

using namespace tombolo;

namespace {

// Links of 1, 2, 3, ... MB/s and of as many ms, each measured with all hosts.
Platform linked(const std::vector<std::vector<int>>& shape) {
  Platform platform = with_figures(clusters_of_hosts(shape), 1);
  std::int64_t number = 0;
  for (Link& link : platform.links) {
    ++number;
    link.total = {number * 1'000'000, 0};
    link.latency = {number * 1'000'000'000, 0};
    link.flows = 100;
  }
  return platform;
}

}  // namespace

TEST_CASE("few clusters are parted in every way, and the links across count together") {
  const Platform platform = linked({{1}, {1, 1}, {1}});
  const std::vector<Cut> found = cuts(platform);
  REQUIRE(found.size() == 3);
  for (const Cut& cut : found) {
    BytesPerSecond rate = 0;
    Picoseconds latency = never;
    for (const Link& link : platform.links) {
      if (cut.inside[static_cast<std::size_t>(link.a)] == cut.inside[static_cast<std::size_t>(link.b)]) continue;
      rate += link.total.value;
      latency = std::min(latency, link.latency.value);
    }
    CHECK(cut.rate == rate);
    CHECK(cut.latency == latency);
  }
}

TEST_CASE("of many clusters each is cut off") {
  const Platform platform = linked(std::vector<std::vector<int>>(11, {1}));
  const std::vector<Cut> found = cuts(platform);
  CHECK(found.size() == 11);
  for (const Cut& cut : found) CHECK(std::count(cut.inside.begin(), cut.inside.end(), true) == 1);
}

TEST_CASE("a link that may carry more than was measured limits nothing") {
  Platform platform = linked({{1, 1}, {1, 1}, {1, 1}});
  CHECK(cuts(platform).size() == 3);
  // One message of two that there could be, and it got all that one gets.
  platform.links[0].flows = 1;
  platform.links[0].rate = platform.links[0].total;
  CHECK(cuts(platform).size() == 1);
  // Two that got in one another's way are told by that.
  platform.links[0].flows = 2;
  CHECK(cuts(platform).size() == 3);
  platform.links[0].total = {0, 0};
  CHECK(cuts(platform).size() == 1);
  CHECK(cuts(linked({{1, 1}})).empty());
}
