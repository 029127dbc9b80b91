#include <catch2/catch.hpp>

#include <tombolo/collectives/level_groups.hpp>

#include "random_trees.hpp"

using namespace tombolo;

TEST_CASE("groups of levels are what is below the tops of trees") {
  // Sites {0, 3, 4} and {1, 2, 5}, the first in clusters {0, 4} and {3}.
  const RankTree sites({0, 3, 4, 1, 2, 5}, {-1, 0, 0, -1, 3, 3});
  const RankTree clusters({0, 4, 3, 1, 2, 5}, {-1, 0, -1, -1, 3, 3});
  const LevelGroups groups(MappedTrees("levels", std::vector<MappedTrees::Weighted>{{sites}, {clusters}}));
  REQUIRE(groups.levels() == 3);
  std::vector<Rank> order;
  for (int place = 0; place < groups.size(); ++place) order.push_back(groups.rank(place));
  CHECK(order == std::vector<Rank>{0, 4, 3, 1, 2, 5});
  CHECK(groups.group(0, 4) == Group{0, 6});
  CHECK(groups.group(1, 1) == Group{0, 3});
  CHECK(groups.group(2, 1) == Group{0, 2});
  CHECK(groups.group(2, 2) == Group{2, 1});
  CHECK(groups.index(2, 2) == 1);
  CHECK(groups.index(2, 5) == 0);
  CHECK(groups.common_level(0, 1) == 2);
  CHECK(groups.common_level(0, 2) == 1);
  CHECK(groups.common_level(0, 3) == 0);
}

TEST_CASE("whatever the trees, groups lie inside groups, on consecutive places") {
  std::mt19937 random(4);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const int tops = 1 + static_cast<int>(random() % 9);
    const LevelGroups groups(test::random_trees(1 + static_cast<int>(random() % 4), ranks, 0, tops, random));
    REQUIRE(groups.size() == ranks);
    for (int place = 0; place < ranks; ++place) {
      CHECK(groups.place(groups.rank(place)) == place);
      CHECK(groups.group(0, place) == Group{0, ranks});
      for (int level = 1; level < groups.levels(); ++level) {
        const Group& own = groups.group(level, place);
        const Group& around = groups.group(level - 1, place);
        CHECK((own.first <= place && place < own.end()));
        CHECK((around.first <= own.first && own.end() <= around.end()));
        CHECK(groups.group(level, own.first) == own);
        CHECK(groups.index(level, place) == groups.index(level, own.first));
        const bool is_next = own.first > around.first;
        CHECK(groups.index(level, place) == (is_next ? groups.index(level, own.first - 1) + 1 : 0));
      }
    }
  }
}
