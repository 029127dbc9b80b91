#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/framework/program/declare/division.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

namespace {

std::vector<std::int64_t> random_numbers(std::int64_t size, std::int64_t most, std::mt19937& random) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < size; ++i) numbers.push_back(static_cast<std::int64_t>(random()) % (most + 1));
  return numbers;
}

// Every item once, in panels, in each in the order of the ranks; in a rank's memory one panel behind the other.
void check_covers(const Division& division, std::int64_t items) {
  std::int64_t next = 0;
  std::vector<std::int64_t> local(static_cast<std::size_t>(division.ranks()), 0);
  for (int panel = 0; panel < division.panels(); ++panel) {
    REQUIRE(division.first_of_panel(panel) == next);
    for (Rank rank = 0; rank < division.ranks(); ++rank) {
      const Slice slice = division.slice(panel, rank);
      REQUIRE(slice == Slice{next, slice.count, local[static_cast<std::size_t>(rank)]});
      REQUIRE(slice.count >= 0);
      next += slice.count;
      local[static_cast<std::size_t>(rank)] += slice.count;
    }
  }
  REQUIRE(next == items);
  REQUIRE(division.items() == items);
  REQUIRE(division.shares() == local);
  for (Rank rank = 0; rank < division.ranks(); ++rank) {
    REQUIRE(division.items_of(rank) == local[static_cast<std::size_t>(rank)]);
  }
}

}  // namespace

TEST_CASE("the division of the page") {
  const Division division({{2, 1}, {1, 1}});
  check_covers(division, 5);
  CHECK(division.slice(1, 0) == Slice{3, 1, 2});
  CHECK(division.slice(1, 1) == Slice{4, 1, 1});
  CHECK(division == Division({{2, 1}, {1, 1}}));
  CHECK_FALSE(division == Division({{3, 2}}));
}

TEST_CASE("items are divided once, whatever the speeds and panels") {
  std::mt19937 random(1);
  for (const int ranks : {1, 2, 3, 5, 8, 13, 100}) {
    for (const std::int64_t items : {0, 1, 2, 7, 64, 1001}) {
      for (const int panels : {1, 2, 7, 32, 2000}) {
        std::vector<std::int64_t> speeds = random_numbers(ranks, 3, random);
        speeds[random() % speeds.size()] = 5;
        const DeclaredDomain even{.name = "rows", .items = items};
        DeclaredDomain uneven = even;
        uneven.weights = random_numbers(items, 9, random);
        for (const DeclaredDomain& slices : {even, uneven}) {
          const Division division = divide(slices, speeds, panels);
          check_covers(division, items);
          REQUIRE(division.panels() == std::clamp<std::int64_t>(items, 1, panels));
          for (Rank rank = 0; rank < ranks; ++rank) {
            if (speeds[static_cast<std::size_t>(rank)] == 0) REQUIRE(division.items_of(rank) == 0);
          }
          for (int panel = 0; panel < division.panels(); ++panel) {
            REQUIRE(std::abs(division.panel(panel).total() - items / division.panels()) <= 1);
          }
        }
      }
    }
  }
}

TEST_CASE("items that are alike are shared out in proportion to speed") {
  const std::vector<std::int64_t> speeds{3, 2, 1, 0};
  CHECK(divide({.name = "rows", .items = 10}, speeds).shares() == proportional_shares(10, speeds));
  const std::int64_t many = std::int64_t{1} << 40;
  check_covers(divide({.name = "rows", .items = many}, speeds, 3), many);
}

TEST_CASE("weights are shared out in proportion to speed, to half an item") {
  std::mt19937 random(2);
  for (const int ranks : {1, 2, 3, 8, 31}) {
    DeclaredDomain slices{.name = "rows", .items = 200, .weights = random_numbers(200, 1'000'000'000'000, random)};
    std::vector<std::int64_t> speeds = random_numbers(ranks, 1'000'000'000'000'000, random);
    speeds[0] += 1;
    const Division division = divide(slices, speeds);
    const auto work = static_cast<double>(weight(slices, 0, slices.items));
    const auto together = std::accumulate(speeds.begin(), speeds.end(), 0.0);
    double so_far = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
      so_far += static_cast<double>(speeds[static_cast<std::size_t>(rank)]);
      const Slice slice = division.slice(0, rank);
      const auto done = static_cast<double>(weight(slices, 0, slice.first + slice.count));
      CHECK(std::abs(done - work * so_far / together) <= 0.5001e12);
    }
  }
}

TEST_CASE("weights of which all are 0 are as good as none") {
  const std::vector<std::int64_t> speeds{1, 3};
  const DeclaredDomain slices{.name = "rows", .items = 8, .weights = std::vector<std::int64_t>(8, 0)};
  CHECK(divide(slices, speeds).shares() == std::vector<std::int64_t>{2, 6});
  CHECK(weight(slices, 2, 5) == 0);
  CHECK(weight({.name = "rows", .items = 8}, 2, 5) == 5);
}

TEST_CASE("speeds of which none is positive divide nothing") {
  const DeclaredDomain slices{.name = "rows", .items = 8};
  CHECK_THROWS_AS(divide(slices, std::vector<std::int64_t>{0, 0}), Error);
  CHECK_THROWS_AS(divide(slices, std::vector<std::int64_t>{}), Error);
  CHECK_THROWS_AS(divide(slices, std::vector<std::int64_t>{2, -1}), Error);
}
