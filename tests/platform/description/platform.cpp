#include <catch2/catch.hpp>

#include <tombolo/platform.hpp>

#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("links are numbered pair by pair") {
  for (int count = 2; count <= 12; ++count) {
    std::size_t next = 0;
    for (int a = 0; a < count; ++a) {
      for (int b = a + 1; b < count; ++b, ++next) {
        CHECK(link_index(a, b, count) == next);
        CHECK(link_index(b, a, count) == next);
      }
    }
  }
  constexpr int many = 1 << 20;  // beyond what an int could number
  CHECK(link_index(many - 2, many - 1, many) == std::size_t{many} * (many - 1) / 2 - 1);
}

TEST_CASE("clusters are numbered as a walk through the levels meets them") {
  const Platform platform = small_platform();
  std::string names;
  for (const Level* const cluster : clusters(platform.levels)) names += cluster->name + " ";
  CHECK(names == "c1 c2 c3 ");

  const Level alone = {Level::Kind::cluster, "alone", {0}, {{Level::Kind::host, "h", {0}, {}}}};
  REQUIRE(clusters(alone).size() == 1);
  CHECK(clusters(alone).front() == &alone);
}

TEST_CASE("every rank is in one cluster") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed));
    std::vector<int> times(platform.processors.size(), 0);
    for (const Level* const cluster : clusters(platform.levels)) {
      for (const Rank rank : cluster->ranks) ++times[static_cast<std::size_t>(rank)];
    }
    CHECK(times == std::vector<int>(times.size(), 1));
  }
}
