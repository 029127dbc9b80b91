#include <numeric>
#include <stdexcept>

#include <catch2/catch.hpp>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

#include "framework/arrays/distributions.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;
using Shares = std::vector<std::int64_t>;

namespace {

bool contains(const Part& part, std::int64_t row, std::int64_t column) {
  return overlap(part, {row, 1, column, 1}).elements() == 1;
}

}  // namespace

TEST_CASE("every element has one owner, or all") {
  std::mt19937_64 random(1);
  for (const int ranks : {1, 2, 3, 4, 7, 12}) {
    for (const auto& [m, n] : {std::pair{1, 1}, {7, 5}, {13, 1}, {1, 9}, {0, 4}, {4, 0}}) {
      for (const Distribution& one : distributions(random, m, n, ranks)) {
        CHECK(one.shape() == MatrixShape{m, n});
        CHECK(one.ranks() == ranks);
        std::int64_t sum = 0;
        std::int64_t most = 0;
        for (Rank rank = 0; rank < ranks; ++rank) {
          sum += one.elements(rank);
          most = std::max(most, one.elements(rank));
          CHECK(one.parts(rank).size() == one.blocks_of(rank).size());
        }
        CHECK(sum == one.shape().rows * n * (one.replicated() ? ranks : 1));
        CHECK(one.most_elements() == most);
        for (std::int64_t i = 0; i < m; ++i) {
          for (std::int64_t j = 0; j < n; ++j) {
            int owners = 0;
            for (Rank rank = 0; rank < ranks; ++rank) {
              const auto parts = one.parts(rank);
              owners += static_cast<int>(
                  std::count_if(parts.begin(), parts.end(), [&](const Part& part) { return contains(part, i, j); }));
            }
            REQUIRE(owners == (one.replicated() ? ranks : 1));
          }
        }
      }
    }
  }
}

TEST_CASE("blocks of a part are those that overlap it") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const auto any = [&](std::int64_t below) {
      return static_cast<std::int64_t>(random() % static_cast<unsigned>(below));
    };
    const int high = 1 + static_cast<int>(any(9));
    const int wide = 1 + static_cast<int>(any(9));
    const auto one = Distribution::blocks(random_shares(random, 20, high), random_shares(random, 15, wide),
                                          std::vector<Rank>(static_cast<std::size_t>(high * wide), 0), 1);
    const Part part{any(20), any(5), any(15), any(6)};
    std::vector<int> expected;
    for (int block = 0; block < one.blocks(); ++block) {
      if (overlap(one.block(block), part).elements() > 0) expected.push_back(block);
    }
    CHECK(one.blocks_in(part) == expected);
  }
}

TEST_CASE("distributions are equal where blocks, owners and memory are") {
  const Shares shares{2, 0, 3};
  CHECK(Distribution::rows(shares, 4) == Distribution(Layout::rows(shares, 4)));
  CHECK(Distribution::rows(shares, 4) == Distribution::blocks(shares, Shares{4}, {0, 1, 2}, 3));
  CHECK(Distribution::columns(4, shares) == Distribution(Layout::columns(4, shares)));
  CHECK(Distribution::columns(5, shares) != Distribution::blocks(Shares{5}, shares, {0, 1, 2}, 3));
  CHECK(Distribution(Layout::rows(shares, 4).placed({2, 0, 1})) ==
        Distribution::blocks(shares, Shares{4}, {2, 0, 1}, 3));
  CHECK(Distribution::rows(Shares{5}, 4) == Distribution::at(0, {5, 4}, 1));
  CHECK(Distribution::everywhere({5, 4}, 1) == Distribution::at(0, {5, 4}, 1));
  CHECK(Distribution::everywhere({5, 4}, 2) != Distribution::at(0, {5, 4}, 2));
  CHECK(Distribution::at(1, {5, 4}, 2).root() == 1);
  CHECK_FALSE(Distribution::everywhere({5, 4}, 2).root());
  CHECK_FALSE(Distribution::rows(shares, 4).root());
  CHECK(Distribution::columns(5, shares).by_columns());
  CHECK(Distribution::rows(shares, 4).parts(1) == std::vector<Part>{{2, 0, 0, 4}});
}

TEST_CASE("distributions refuse what no matrix is in") {
  CHECK_THROWS_WITH(Distribution::at(0, {1, 1}, 0), Contains("on 0 ranks"));
  CHECK_THROWS_WITH(Distribution::at(2, {1, 1}, 2), Contains("rank 2 as the owner") && Contains("0 to 1"));
  CHECK_THROWS_WITH(Distribution::at(0, {-1, 1}, 1), Contains("-1"));
  CHECK_THROWS_AS(Distribution::rows(Shares{}, 1), Error);
  CHECK_THROWS_WITH(Distribution::rows(Shares{1, -2}, 1), Contains("-2"));
  CHECK_THROWS_WITH(Distribution::rows(Shares{std::int64_t{1} << 40}, std::int64_t{1} << 40), Contains("2^60"));
  CHECK_THROWS_WITH(Distribution::blocks(Shares{1, 2}, Shares{3, 4}, {0, 1, 0}, 2),
                    Contains("owners of 3 blocks of 2 x 2"));
  CHECK_THROWS_WITH(Distribution::blocks(Shares{1, 2}, Shares{3}, {0, -1}, 2), Contains("rank -1"));
  CHECK_THROWS_AS(Distribution::everywhere({1, 1}, 3).parts(3), std::out_of_range);
}
