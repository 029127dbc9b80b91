#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/arrays/transpose/assign_parts.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "models/figured_platform.hpp"

using namespace tombolo;
using Counts = std::vector<std::int64_t>;
using Costs = std::vector<Counts>;

namespace {

Redistribution transposed(const Layout& a, const Layout& b) {
  return {Distribution(a), Distribution(b), true};
}

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

TEST_CASE("parts of a grid stay where they are") {
  for (const auto& [p, q] : {std::pair{1, 1}, {2, 3}, {3, 2}, {4, 4}, {1, 7}, {13, 1}, {17, 20}}) {
    const Counts heights = equal_shares(500, p);
    const Counts widths = equal_shares(300, q);
    const Layout a = Layout::blocks(heights, widths);
    const Layout b = assign_parts(a, Layout::blocks(widths, heights), nullptr);
    CHECK(transposed(a, b).staying() == 500 * 300);
  }
}

TEST_CASE("no rank gets a part that is too large for it, and nothing moves for little") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 100; ++round) {
    const int p = 1 + static_cast<int>(random() % 4);
    const int q = 1 + static_cast<int>(random() % 4);
    const auto shares = [&](std::int64_t items, int ranks) {
      Counts speeds(static_cast<std::size_t>(ranks));
      for (auto& speed : speeds) speed = 1 + static_cast<std::int64_t>(random() % 9);
      return proportional_shares(items, speeds);
    };
    const Layout a = Layout::blocks(shares(97, p), shares(61, q));
    const Layout plain =
        round % 2 == 0 ? Layout::blocks(shares(61, p), shares(97, q)) : Layout::rows(shares(61, p * q), 97);
    const Layout b = assign_parts(a, plain, nullptr);
    const Redistribution before = transposed(a, plain);
    const Redistribution after = transposed(a, b);
    CHECK(after.staying() >= before.staying());
    for (Rank rank = 0; rank < p * q; ++rank) {
      const std::int64_t had = std::max(a.part(rank).elements(), plain.part(rank).elements());
      CHECK(b.part(rank).elements() <= had + had / 8);
    }
    if (b != plain) CHECK(after.staying() > before.staying());
  }
}

TEST_CASE("what crosses slow links counts more") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}}), seed);  // ranks 0 and 1, 2 and 3
    platform.links.front().rate = {1000, 0};
    const Layout a = Layout::blocks(Counts{60, 40}, Counts{50, 50});
    for (const Layout& plain :
         {Layout::blocks(Counts{50, 50}, Counts{40, 60}), Layout::columns(100, Counts{20, 30, 20, 30}),
          Layout::blocks(Counts{50, 50}, Counts{60, 40})}) {
      const Layout b = assign_parts(a, plain, &platform);
      CHECK(b == assign_parts(a, plain, &platform));
      const auto crossing = [&](const Layout& layout) {
        std::int64_t elements = 0;
        for (Rank from = 0; from < 4; ++from) {
          for (Rank to = 0; to < 4; ++to) {
            if (from / 2 != to / 2) elements += overlap(a.part(from), layout.part(to).transposed()).elements();
          }
        }
        return elements;
      };
      CHECK(crossing(b) <= crossing(plain));
    }
  }
}

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
