#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <span>

#include <catch2/catch.hpp>

#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Shares = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
constexpr long double never_ends = std::numeric_limits<long double>::infinity();

/// Of items first to end; where all weights are 0 the test states ones.
long double time_of(const Shares& weights, std::int64_t first, std::int64_t end, std::int64_t speed) {
  if (first == end) return 0;
  if (speed == 0) return never_ends;
  const auto weight = std::accumulate(weights.begin() + first, weights.begin() + end, std::int64_t{0});
  return static_cast<long double>(weight) / static_cast<long double>(speed);
}

long double longest(const Shares& weights, const Shares& speeds, const Shares& shares) {
  long double most = 0;
  std::int64_t place = 0;
  for (std::size_t r = 0; r < shares.size(); ++r) {
    most = std::max(most, time_of(weights, place, place + shares[r], speeds[r]));
    place += shares[r];
  }
  return most;
}

/// The least that consecutive slices can have, by trying every end of each.
long double least(const Shares& weights, const Shares& speeds, const Shares& most) {
  const auto n = static_cast<std::int64_t>(weights.size());
  std::vector<long double> best(weights.size() + 1, never_ends);
  best[0] = 0;
  for (std::size_t r = 0; r < speeds.size(); ++r) {
    for (std::int64_t end = n; end >= 0; --end) {
      long double found = never_ends;
      for (std::int64_t begin = std::max<std::int64_t>(0, end - most[r]); begin <= end; ++begin) {
        const long double rest = best[static_cast<std::size_t>(begin)];
        found = std::min(found, std::max(rest, time_of(weights, begin, end, speeds[r])));
      }
      best[static_cast<std::size_t>(end)] = found;
    }
  }
  return best.back();
}

}  // namespace

TEST_CASE("weighted shares follow the worked examples") {
  CHECK(weighted_shares(Shares{5, 1, 1, 1, 2}, Shares{1, 1}) == Shares{1, 4});
  CHECK(weighted_shares(Shares{1, 1, 1, 1, 1}, Shares{1, 1, 1, 1}) == Shares{1, 1, 2, 1});  // ends at 1.25, 2.5, 3.75
  CHECK(weighted_shares(Shares{0, 0, 0, 0}, Shares{1, 3}) == Shares{1, 3});
  CHECK(weighted_shares(Shares{0, 9, 0}, Shares{0, 4, 0}) == Shares{0, 3, 0});
  CHECK(weighted_shares(Shares{}, Shares{4, 0}) == Shares{0, 0});
  CHECK(weighted_shares(Shares{1, 1, 1, 1}, Shares{9, 1}, Shares{2, 4}) == Shares{2, 2});
}

TEST_CASE("weighted shares take as short as any consecutive slices, within limits") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t ranks = 1 + random() % 7;
    Shares weights(random() % 30);
    for (auto& w : weights)
      w = random() % 4 == 0 ? 0 : static_cast<std::int64_t>(random() % (round % 3 == 0 ? 1000 : 5));
    if (std::all_of(weights.begin(), weights.end(), [](auto w) { return w == 0; })) weights.assign(weights.size(), 1);
    Shares speeds(ranks);
    for (auto& s : speeds) s = static_cast<std::int64_t>(random() % 10);
    if (std::all_of(speeds.begin(), speeds.end(), [](auto s) { return s == 0; })) continue;
    Shares most(ranks, static_cast<std::int64_t>(weights.size()));
    if (round % 2 == 0) {
      for (auto& m : most) m = static_cast<std::int64_t>(random() % 20);
    }
    const long double best = least(weights, speeds, most);
    if (best == never_ends) {
      REQUIRE_THROWS_AS(weighted_shares(weights, speeds, most), Error);
      continue;
    }
    const Shares shares = weighted_shares(weights, speeds, most);
    REQUIRE(std::accumulate(shares.begin(), shares.end(), std::int64_t{0}) ==
            static_cast<std::int64_t>(weights.size()));
    for (std::size_t r = 0; r < ranks; ++r) REQUIRE((shares[r] >= 0 && shares[r] <= most[r]));
    REQUIRE(longest(weights, speeds, shares) <= best * (1 + 1e-15L));
  }
}

TEST_CASE("items between sums of weights are shared out as by their weights, wherever the sums begin") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    Shares weights(1 + random() % 30);
    for (auto& w : weights) w = static_cast<std::int64_t>(random() % (round % 3 == 0 ? 1 : 9));
    const Shares sums = weights_before(weights);
    const std::size_t begin = random() % weights.size();
    const std::size_t count = random() % (weights.size() - begin + 1);
    const Shares speeds = {3, 0, static_cast<std::int64_t>(random() % 10), 1};
    REQUIRE(shares_of_sums(std::span(sums).subspan(begin, count + 1), speeds) ==
            weighted_shares(std::span(weights).subspan(begin, count), speeds));
  }
  const Shares largest = {huge - 9, huge - 5, huge};
  CHECK(shares_of_sums(largest, Shares{1, 1}) == Shares{1, 1});
}

TEST_CASE("weighted shares of many alike items are near the parts of the speed") {
  std::mt19937_64 random(2);
  for (const std::size_t ranks : {1U, 2U, 3U, 13U, 64U}) {
    const Shares weights(100'003, 7);
    Shares speeds(ranks);
    for (auto& s : speeds) s = static_cast<std::int64_t>(random() >> 1);
    const Shares shares = weighted_shares(weights, speeds);
    long double total = 0;
    for (const auto s : speeds) total += static_cast<long double>(s);
    for (std::size_t r = 0; r < ranks; ++r) {
      const long double exact = 100'003 * static_cast<long double>(speeds[r]) / total;
      REQUIRE(std::abs(static_cast<long double>(shares[r]) - exact) < 2);
    }
  }
}

TEST_CASE("weighted shares reach up to the largest weights and speeds") {
  CHECK(weighted_shares(Shares{huge - 2, 1, 1}, Shares{huge, huge}) == Shares{1, 2});
  CHECK(weighted_shares(Shares{2, 1, huge - 3}, Shares{1, huge}) == Shares{0, 3});
  CHECK_THROWS_WITH(weighted_shares(Shares{huge, 1}, Shares{1}), Catch::Contains("2^63"));
}

TEST_CASE("weighted shares that cannot be made are errors") {
  CHECK_THROWS_AS(weighted_shares(Shares{1}, Shares{0, 0}), Error);
  CHECK_THROWS_AS(weighted_shares(Shares{1}, Shares{}), Error);
  CHECK_THROWS_AS(weighted_shares(Shares{-1}, Shares{1}), Error);
  CHECK_THROWS_AS(weighted_shares(Shares{1}, Shares{-1}), Error);
  CHECK_THROWS_AS(weighted_shares(Shares{1}, Shares{1}, Shares{1, 1}), Error);
  CHECK_THROWS_AS(weighted_shares(Shares{1}, Shares{1}, Shares{-1}), Error);
  CHECK_THROWS_AS(weighted_shares(Shares{1, 1, 1}, Shares{1, 0}, Shares{2, 2}), Error);
}
