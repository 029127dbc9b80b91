#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Shares = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t huge = std::int64_t{1} << 62;

/// The contract, stated in exact integers: share - exact share, times the total speed, is less than the total in size.
void check_contract(std::int64_t n, const Shares& speeds, const Shares& shares) {
  REQUIRE(shares.size() == speeds.size());
  Wide total = 0;
  for (const auto speed : speeds) total += speed;
  Wide sum = 0;
  for (std::size_t r = 0; r < shares.size(); ++r) {
    sum += shares[r];
    const Wide off = total * shares[r] - static_cast<Wide>(n) * speeds[r];
    if (!(shares[r] >= 0 && off < total && -off < total) || (speeds[r] == 0 && shares[r] != 0)) {
      FAIL("rank " << r << " of speed " << speeds[r] << " gets " << shares[r] << " of " << n);
    }
  }
  REQUIRE(sum == n);
}

void check_monotone(const Shares& speeds, const Shares& shares) {
  std::vector<std::size_t> order(speeds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return speeds[x] > speeds[y]; });
  // Sorted by falling speed, and by rank where speeds are equal, shares never rise.
  for (std::size_t i = 1; i < order.size(); ++i) REQUIRE(shares[order[i - 1]] >= shares[order[i]]);
}

Shares random_speeds(std::mt19937_64& random, int ranks, std::int64_t highest) {
  std::uniform_int_distribution<std::int64_t> speed(0, highest);
  Shares speeds(static_cast<std::size_t>(ranks));
  for (auto& s : speeds) s = speed(random);
  speeds[random() % speeds.size()] = highest;
  return speeds;
}

}  // namespace

TEST_CASE("proportional shares follow the worked examples") {
  CHECK(proportional_shares(10, Shares{3, 2, 1}) == Shares{5, 3, 2});
  CHECK(proportional_shares(7, Shares{1, 1, 1}) == Shares{3, 2, 2});        // ties go to the lower rank
  CHECK(proportional_shares(2, Shares{0, 5, 5, 5}) == Shares{0, 1, 1, 0});  // fewer items than ranks
  CHECK(proportional_shares(0, Shares{4, 0}) == Shares{0, 0});
  CHECK(proportional_shares(9, Shares{0, 7, 0}) == Shares{0, 9, 0});
  CHECK(proportional_shares(huge, Shares{huge, huge}) == Shares{huge / 2, huge / 2});
  CHECK(first_of(Shares{5, 3, 2}) == Shares{0, 5, 8, 10});
  CHECK(first_of(Shares{}) == Shares{0});
}

TEST_CASE("proportional shares keep their contract at every size and rank count") {
  std::mt19937_64 random(1);
  for (const int ranks : {1, 2, 3, 5, 8, 16, 97, 1000}) {
    for (const std::int64_t highest : {std::int64_t{1}, std::int64_t{3}, std::int64_t{55'000'000'000}, huge}) {
      for (const std::int64_t n :
           {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{96}, std::int64_t{4096},
            std::int64_t{1'000'003}, huge, std::numeric_limits<std::int64_t>::max()}) {
        const Shares speeds = random_speeds(random, ranks, highest);
        const Shares shares = proportional_shares(n, speeds);
        check_contract(n, speeds, shares);
        check_monotone(speeds, shares);
      }
    }
  }
}

TEST_CASE("proportional shares move with the ranks when these are reordered") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    // Distinct speeds that are coprime to their total leave no ties, which alone depend on the order.
    Shares speeds = random_speeds(random, 2 + round % 13, huge);
    std::vector<std::size_t> order(speeds.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Shares moved;
    for (const auto r : order) moved.push_back(speeds[r]);
    const Shares shares = proportional_shares(1000 + round, speeds);
    const Shares moved_shares = proportional_shares(1000 + round, moved);
    for (std::size_t r = 0; r < order.size(); ++r) REQUIRE(moved_shares[r] == shares[order[r]]);
  }
}

TEST_CASE("proportional shares depend on ratios of speeds only") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const Shares speeds = random_speeds(random, 1 + round % 20, 1000);
    Shares scaled = speeds;
    for (auto& s : scaled) s *= 1'000'000'007;
    REQUIRE(proportional_shares(12345, scaled) == proportional_shares(12345, speeds));
  }
}

TEST_CASE("equal shares are those of equal speeds") {
  for (const int ranks : {1, 2, 3, 5, 8, 1000}) {
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{999}, std::int64_t{1000}, huge + 5}) {
      const Shares speeds(static_cast<std::size_t>(ranks), 17);
      REQUIRE(equal_shares(n, ranks) == proportional_shares(n, speeds));
    }
  }
}

TEST_CASE("shares that cannot be made are errors") {
  CHECK_THROWS_AS(proportional_shares(5, Shares{0, 0}), Error);
  CHECK_THROWS_AS(proportional_shares(5, Shares{}), Error);
  CHECK_THROWS_AS(proportional_shares(5, Shares{3, -1}), Error);
  CHECK_THROWS_AS(proportional_shares(-1, Shares{3}), Error);
  CHECK_THROWS_AS(equal_shares(5, 0), Error);
  CHECK_THROWS_AS(equal_shares(-5, 2), Error);
}
