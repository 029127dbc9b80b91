#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/transpose/assign_parts.hpp>
#include <tombolo/framework/arrays/transpose/cheapest_owners.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;
using Counts = std::vector<std::int64_t>;
using Costs = std::vector<Counts>;

namespace {

/// The least sum over all ways, or -1 where there is none.
std::int64_t least_by_trying(const Costs& costs) {
  std::vector<std::size_t> owners(costs.size());
  std::iota(owners.begin(), owners.end(), std::size_t{0});
  std::int64_t least = -1;
  do {
    std::int64_t sum = 0;
    for (std::size_t part = 0; part < owners.size() && sum >= 0; ++part) {
      const std::int64_t cost = costs[part][owners[part]];
      sum = cost == forbidden ? -1 : sum + cost;
    }
    if (sum >= 0 && (least < 0 || sum < least)) least = sum;
  } while (std::next_permutation(owners.begin(), owners.end()));
  return least;
}

/// Their sum; each rank must own one part.
std::int64_t sum_of(const Costs& costs, const std::vector<Rank>& owners) {
  std::vector<Rank> sorted = owners;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t rank = 0; rank < sorted.size(); ++rank) REQUIRE(sorted[rank] == static_cast<Rank>(rank));
  std::int64_t sum = 0;
  for (std::size_t part = 0; part < owners.size(); ++part) sum += costs[part][static_cast<std::size_t>(owners[part])];
  return sum;
}

Costs random_costs(std::mt19937_64& random, std::size_t ranks, std::int64_t most, bool forbids) {
  Costs costs(ranks, Counts(ranks));
  for (auto& row : costs) {
    for (auto& cost : row) {
      cost = forbids && random() % 3 == 0 ? forbidden
                                          : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
    }
  }
  return costs;
}

}  // namespace

TEST_CASE("no other owners cost less") {
  std::mt19937_64 random(1);
  for (std::size_t ranks = 1; ranks <= 6; ++ranks) {
    for (int round = 0; round < 60; ++round) {
      const Costs costs = random_costs(random, ranks, round % 3 == 0 ? 4 : 1'000'000, round % 2 == 0);
      const std::int64_t least = least_by_trying(costs);
      if (least < 0) {
        CHECK_THROWS_AS(cheapest_owners(costs), Error);
      } else {
        CHECK(sum_of(costs, cheapest_owners(costs)) == least);
      }
    }
  }
}

TEST_CASE("costs of any size are met within their rounding") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    const Costs costs = random_costs(random, 5, std::int64_t{1} << 57, false);
    const auto least = static_cast<double>(least_by_trying(costs));
    CHECK(static_cast<double>(sum_of(costs, cheapest_owners(costs))) <= least * (1 + 1e-6) + 0x1p57 * 1e-6);
  }
}

TEST_CASE("the owners of many parts are found") {
  std::mt19937_64 random(3);
  const std::size_t ranks = most_solved;
  Costs costs = random_costs(random, ranks, 1000, false);
  std::vector<Rank> hidden(ranks);
  std::iota(hidden.begin(), hidden.end(), 0);
  std::shuffle(hidden.begin(), hidden.end(), random);
  for (std::size_t part = 0; part < ranks; ++part) {
    for (auto& cost : costs[part]) ++cost;
    costs[part][static_cast<std::size_t>(hidden[part])] = 0;
  }
  CHECK(cheapest_owners(costs) == hidden);
}

TEST_CASE("costs that are not square are errors") {
  CHECK(cheapest_owners({}).empty());
  CHECK(cheapest_owners({{7}}) == std::vector<Rank>{0});
  CHECK(cheapest_owners({{4, 1}, {2, 9}}) == std::vector<Rank>{1, 0});
  CHECK_THROWS_AS(cheapest_owners({{1, 2}, {3}}), std::logic_error);
}
