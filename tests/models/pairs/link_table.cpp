#include <catch2/catch.hpp>

#include <tombolo/models/pairs/link_table.hpp>

#include "models/test_platforms.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("a table has a figure for each pair inside a cluster and one for each pair of clusters") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    const Platform platform = RandomPlatform(seed).make(1 + static_cast<int>(seed % 20));
    const PairClasses classes(platform);
    PairTable<int> table(classes, -1);
    int next = 0;
    for (Rank a = 0; a < platform.ranks(); ++a) {
      for (Rank b = 0; b < a; ++b) {
        if (table.at(a, b) == -1) table.at(b, a) = next++;
      }
    }
    CHECK(next == static_cast<int>(table.cells().size()));
    for (Rank a = 0; a < platform.ranks(); ++a) {
      for (Rank b = 0; b < a; ++b) {
        CHECK(table.at(a, b) == table.at(b, a));
        for (Rank c = 0; c < platform.ranks(); ++c) {
          for (Rank d = 0; d < c; ++d) {
            const auto between = [&](Rank x, Rank y) {
              return std::minmax({classes.cluster_of(x), classes.cluster_of(y)});
            };
            const bool same_pair = a == c && b == d;
            const bool same_clusters = between(a, b) == between(c, d) && classes.cluster_of(a) != classes.cluster_of(b);
            REQUIRE((table.at(a, b) == table.at(c, d)) == (same_pair || same_clusters));
          }
        }
      }
    }
    CHECK_THROWS_AS(table.at(0, 0), Error);
  }
}

TEST_CASE("cells inside a cluster stand in rows below the diagonal, and so do those between clusters") {
  const Platform platform = clusters_of_hosts({{1, 1, 1}, {1}, {1, 1}});
  const PairClasses classes(platform);
  PairTable<int> table(classes);
  for (int cluster = 0; cluster < 3; ++cluster) {
    int next = 10 * cluster;
    for (int& cell : table.inside(cluster)) cell = next++;
  }
  int next = 100;
  for (int& cell : table.between()) cell = next++;
  const std::vector<Rank>& first = classes.members(0);
  CHECK(table.at(first[1], first[0]) == 0);
  CHECK(table.at(first[2], first[0]) == 1);
  CHECK(table.at(first[2], first[1]) == 2);
  CHECK(table.inside(1).empty());
  CHECK(table.at(classes.members(2)[0], classes.members(2)[1]) == 20);
  CHECK(table.at(first[2], classes.members(1)[0]) == 100);
  CHECK(table.at(first[0], classes.members(2)[1]) == 101);
  CHECK(table.at(classes.members(1)[0], classes.members(2)[0]) == 102);
}

TEST_CASE("4096 ranks in 64 clusters fit") {
  const Platform platform = clusters_of_hosts(std::vector<std::vector<int>>(64, std::vector<int>(64, 1)));
  REQUIRE(platform.ranks() == 4096);
  const PairClasses classes(platform);
  CHECK(classes.size() == 64 + 64 * 63 / 2);
  const PairTable<std::int64_t> table(classes, 7);
  CHECK(table.cells().size() == 64 * (64 * 63 / 2) + 64 * 63 / 2);
  CHECK(table.at(4095, 17) == 7);
}
