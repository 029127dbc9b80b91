#include <random>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/members.hpp>

#include "platform/part_of_platform.hpp"

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
