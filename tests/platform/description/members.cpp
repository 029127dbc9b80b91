#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/members.hpp>

#include "platform/part_of_platform.hpp"
#include "platform/random_platform.hpp"

using namespace tombolo;

TEST_CASE("the numbers of members lead back to them, and others have none") {
  std::mt19937 random(1);
  for (int ranks = 0; ranks <= 30; ++ranks) {
    for (int count = 0; count <= ranks; ++count) {
      const std::vector<Rank> members = test::some_ranks(ranks, count, random);
      const std::vector<Rank> numbers = numbers_among(members, ranks);
      REQUIRE(numbers.size() == static_cast<std::size_t>(ranks));
      CHECK(std::count(numbers.begin(), numbers.end(), -1) == ranks - count);
      for (std::size_t r = 0; r < members.size(); ++r) {
        CHECK(numbers[static_cast<std::size_t>(members[r])] == static_cast<Rank>(r));
      }
    }
    CHECK(numbers_among(all_in_order(ranks), ranks) == all_in_order(ranks));
  }
}

TEST_CASE("a member that is no rank, or stands twice, is refused in a line that says which") {
  CHECK_THROWS_WITH(numbers_among({0, 3}, 3), Catch::Contains("rank 3 as member 1 of a platform of 3 ranks; "));
  CHECK_THROWS_WITH(numbers_among({-1}, 3), Catch::Contains("rank -1 as member 0"));
  CHECK_THROWS_WITH(numbers_among({2, 0, 2}, 3), Catch::Contains("rank 2 as member 2"));
}

using namespace tombolo;

namespace {

using Kind = Level::Kind;

// Whether both ranks are in one level that deep inside this one.
bool together(const Level& level, std::size_t depth, Rank a, Rank b) {
  const auto in = [&level](Rank rank) { return std::binary_search(level.ranks.begin(), level.ranks.end(), rank); };
  if (level.kind == Kind::rank || !in(a) || !in(b)) return false;
  if (depth == 0) return true;
  return std::any_of(level.children.begin(), level.children.end(),
                     [&](const Level& child) { return together(child, depth - 1, a, b); });
}

}  // namespace

TEST_CASE("the levels of a small platform, of all its ranks and of some") {
  // all: grenoble (c1: a1 with ranks 0 and 1, a2 with 2; c2: b1 with 3), c3 (d1 with 4)
  const Platform platform = small_platform();
  const LevelColors all = level_colors(platform, all_in_order(5));
  CHECK(all.colors == std::vector<std::vector<int>>{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 2}, {0, 1, 2}});
  CHECK(all.kinds[3] == std::vector<Kind>{Kind::group, Kind::group, Kind::cluster, Kind::host});
  CHECK(all.kinds[4] == std::vector<Kind>{Kind::group, Kind::cluster, Kind::host});
  const LevelColors some = level_colors(platform, {4, 3, 1});
  CHECK(some.colors == std::vector<std::vector<int>>{{0, 0, 0}, {0, 1, 1, 0}, {0, 1, 2, 1}});
  CHECK_THROWS_WITH(level_colors(platform, {5}), Catch::Contains("rank 5 as member 0"));
}

TEST_CASE("any ranks of any platform have a color in common where they share a level, and nowhere else") {
  std::mt19937 random(2);
  RandomPlatform platforms(2);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const Platform platform = platforms.make(ranks);
    const LevelColors whole = level_colors(platform, all_in_order(ranks));
    const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(ranks));
    const std::vector<Rank> members = test::some_ranks(ranks, count, random);
    const LevelColors part = level_colors(platform, members);
    REQUIRE(part.colors.size() == members.size());
    std::vector<int> next;  // by depth, the color that the next one to have none before it gets
    for (std::size_t a = 0; a < members.size(); ++a) {
      // What is said of a rank is no different among few.
      CHECK(part.kinds[a] == whole.kinds[static_cast<std::size_t>(members[a])]);
      REQUIRE(part.colors[a].size() == part.kinds[a].size());
      REQUIRE(part.colors[a].size() >= 2);  // a cluster and a host at least
      CHECK(std::is_sorted(part.kinds[a].begin(), part.kinds[a].end()));
      CHECK(part.kinds[a].back() < Kind::rank);
      next.resize(std::max(next.size(), part.colors[a].size()));
      for (std::size_t depth = 0; depth < part.colors[a].size(); ++depth) {
        CHECK(part.colors[a][depth] <= next[depth]);
        next[depth] = std::max(next[depth], part.colors[a][depth] + 1);
        for (std::size_t b = 0; b < a; ++b) {
          const bool same = depth < part.colors[b].size() && part.colors[a][depth] == part.colors[b][depth];
          CHECK(same == together(platform.levels, depth, members[a], members[b]));
        }
      }
    }
  }
}
