#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/link_ways.hpp>

#include "platform/descriptions.hpp"

using namespace tombolo;

TEST_CASE("figures differ by way from half as much again on") {
  CHECK(differ_by_way({100, 150}));
  CHECK(differ_by_way({150, 100}));
  CHECK_FALSE(differ_by_way({100, 149}));
  CHECK_FALSE(differ_by_way({3, 4}));
  CHECK(differ_by_way({3, 5}));
  CHECK_FALSE(differ_by_way({0, 5}));  // not known
  CHECK_FALSE(differ_by_way({0, 0}));
}

TEST_CASE("links that differ by way are noted, eight at most") {
  Platform platform = described("grid5000");
  const std::vector<std::string> before = platform.origin.not_measured;
  std::vector<LinkWays> ways(platform.links.size(), {.rates = {100, 110}, .latencies = {1'000, 1'400}});
  note_uneven_ways(platform, ways);
  CHECK(platform.origin.not_measured == before);
  ways[1] = {.rates = {100'000'000, 12'500'000}};
  ways[2].latencies = {3'000'000'000, 9'000'000'000};
  note_uneven_ways(platform, ways);
  REQUIRE(platform.origin.not_measured.size() == before.size() + 2);
  CHECK(platform.origin.not_measured[before.size()] ==
        "the faster direction between c1 and c22 (100 MB/s there, 12.5 back; the lower is taken)");
  CHECK(platform.origin.not_measured.back() ==
        "latencies between c1 and c23 by direction (3 ms there, 9 ms back; their mean is taken)");
  platform.origin.not_measured.clear();
  note_uneven_ways(platform, std::vector<LinkWays>(platform.links.size(), {.rates = {1, 2}}));
  REQUIRE(platform.origin.not_measured.size() == 9);
  CHECK(platform.origin.not_measured.back() == "which direction is the faster one of 7 more links");
}
