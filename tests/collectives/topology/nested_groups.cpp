#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/topology/nested_groups.hpp>

#include "collectives/random_trees.hpp"

using namespace tombolo;

TEST_CASE("groups have consecutive places, groups inside groups, in the order in which they are listed") {
  // Sites {0, 3, 4} and {1, 2, 5}, the first in clusters {0, 4} and {3}.
  const NestedGroups groups("levels", {{{0, 3, 4}, {1, 2, 5}}, {{0, 4}, {3}, {1, 2, 5}}});
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

TEST_CASE("whatever the partitions, groups lie inside groups, on consecutive places") {
  std::mt19937 random(4);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    const int most = 1 + static_cast<int>(random() % 9);
    const NestedGroups groups = test::random_groups(1 + static_cast<int>(random() % 4), ranks, most, random);
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

TEST_CASE("groups are equal by what they are, and have every rank once on each level") {
  const NestedGroups one("one", {{{0, 1}, {2}}});
  CHECK(one == NestedGroups("another name", {{{0, 1}, {2}}}));
  CHECK_FALSE(one == NestedGroups("one", {{{1, 0}, {2}}}));
  CHECK_FALSE(one == NestedGroups());
  CHECK(NestedGroups() == NestedGroups());
  CHECK(NestedGroups().empty());
  CHECK_THROWS_WITH(NestedGroups("", {}), Catch::Contains("no groups"));
  CHECK_THROWS_WITH(NestedGroups("", {{{0, 1}, {1}}}), Catch::Contains("rank 1 in group 1 of 3 ranks"));
  CHECK_THROWS_WITH(NestedGroups("", {{{0}, {3, 1}}}), Catch::Contains("rank 3 in group 1"));
  CHECK_THROWS_WITH(NestedGroups("", {{{0}}, {{0}, {1}}}), Catch::Contains("groups of 2 and of 1 ranks"));
}

TEST_CASE("a plan takes groups that fit its request and its algorithm, and no others") {
  const NestedGroups one("one", {{{0, 1}, {2}}});
  const NestedGroups two("two", {{{0, 1}, {2}}, {{0}, {1}, {2}}});
  const Request blocks = Request::allgatherv(Blocks::equal(3, 4), 8);
  const Request pairs = Request::alltoallv(3, AlltoallCounts::equal(3, 1), 8);
  CHECK(Plan(blocks, allgatherv_relays, {.groups = two}).how() == "relays, 2 trees: two");
  CHECK(Plan(pairs, alltoallv_clusters, {.groups = one}).how() == "clusters, tree: one");
  const auto refused = [&](const Request& request, const Algorithm& algorithm, const Parameters& parameters,
                           const char* words) {
    CHECK_THROWS_WITH(Plan(request, algorithm, parameters), Catch::Contains(words));
  };
  refused(Request::allgatherv(Blocks::equal(4, 4), 8), allgatherv_relays, {.groups = one}, "of 3 of 4 ranks");
  refused(pairs, alltoallv_clusters, {.groups = two}, "on 2 levels");
  refused(blocks, allgatherv_leaders, {.groups = one}, "does not heed");
  refused(blocks, allgatherv_relays, {.trees = {"x", RankTree({0, 1, 2}, {-1, 0, 0})}}, "does not heed");
}
