#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Shares = std::vector<std::int64_t>;
using Speeds = std::vector<SpeedFunction>;

namespace {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
constexpr long double never_ends = std::numeric_limits<long double>::infinity();

long double time_of(std::int64_t items, const SpeedFunction& speed, std::int64_t size_per_item) {
  if (items == 0) return 0;
  const std::int64_t at = speed.at(items * size_per_item);
  return at == 0 ? never_ends : static_cast<long double>(items) / static_cast<long double>(at);
}

long double longest(const Shares& shares, const Speeds& speeds, std::int64_t size_per_item) {
  long double most = 0;
  for (std::size_t r = 0; r < shares.size(); ++r) most = std::max(most, time_of(shares[r], speeds[r], size_per_item));
  return most;
}

/// The least that is possible, by trying every number of items on every rank.
long double least(std::int64_t n, const Speeds& speeds, std::int64_t size_per_item, const Shares& most) {
  std::vector<long double> best(static_cast<std::size_t>(n) + 1, never_ends);
  best[0] = 0;
  for (std::size_t r = 0; r < speeds.size(); ++r) {
    for (std::int64_t all = n; all >= 0; --all) {
      long double found = never_ends;
      for (std::int64_t x = 0; x <= std::min(all, most[r]); ++x) {
        const long double rest = best[static_cast<std::size_t>(all - x)];
        found = std::min(found, std::max(rest, time_of(x, speeds[r], size_per_item)));
      }
      best[static_cast<std::size_t>(all)] = found;
    }
  }
  return best.back();
}

/// Up to six points; caches that end, dents, and speeds that rise faster than the size.
SpeedFunction some_speed(std::mt19937_64& random, std::int64_t sizes) {
  std::vector<SpeedPoint> points;
  std::int64_t size = 0;
  for (auto count = 1 + random() % 6; count > 0; --count) {
    const auto speed = static_cast<std::int64_t>(random() % 100'000'000'000) + 1'000'000'000;
    points.push_back({size, random() % 12 == 0 ? 0 : speed});
    size += 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(sizes));
  }
  return SpeedFunction(std::move(points));
}

bool any_positive(const Speeds& speeds) {
  return std::any_of(speeds.begin(), speeds.end(), [](const SpeedFunction& speed) {
    return std::any_of(speed.points().begin(), speed.points().end(), [](const auto& p) { return p.speed > 0; });
  });
}

// Speeds are rounded down to 1 of at least 10^9, except close to 0.
constexpr long double about = 1 + 1e-6L;

}  // namespace

TEST_CASE("functional shares follow the worked example") {
  const Speeds speeds{SpeedFunction({{4, 4000}, {8, 1000}}), SpeedFunction::constant(1000)};
  CHECK(functional_shares(4, speeds, 1) == Shares{3, 1});
  CHECK(functional_shares(12, speeds, 1) == Shares{7, 5});
  CHECK(functional_shares(200, speeds, 1) == Shares{100, 100});
  CHECK(functional_shares(12, speeds, 1, Shares{1, 20}) == Shares{1, 11});
}

TEST_CASE("functional shares of constant speeds are proportional ones") {
  std::mt19937_64 random(1);
  for (std::size_t ranks = 1; ranks <= 64; ++ranks) {
    Shares values(ranks);
    for (auto& v : values) v = static_cast<std::int64_t>(random() % 1000);
    values[random() % ranks] = 777;
    Speeds speeds;
    for (const auto v : values) speeds.push_back(SpeedFunction({{3, v}, {90, v}}));
    for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, huge}) {
      REQUIRE(functional_shares(n, speeds, 7) == proportional_shares(n, values));
      REQUIRE(functional_shares(n, speeds, 7, Shares(ranks, n)) == proportional_shares(n, values));
    }
  }
}

TEST_CASE("functional shares take as short as any, with dents, limits and ranks that cannot") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t ranks = 1 + random() % 6;
    const auto n = static_cast<std::int64_t>(random() % 40);
    const auto size_per_item = static_cast<std::int64_t>(1 + random() % 9);
    Speeds speeds;
    for (std::size_t r = 0; r < ranks; ++r) speeds.push_back(some_speed(random, 12 * size_per_item));
    Shares most(ranks, n);
    if (round % 2 == 0) {
      for (auto& m : most) m = static_cast<std::int64_t>(random() % 30);
    }
    if (!any_positive(speeds)) continue;
    if (std::all_of(speeds.begin(), speeds.end(), [](const auto& speed) { return speed.is_constant(); })) continue;
    const long double best = least(n, speeds, size_per_item, most);
    if (best == never_ends) {
      REQUIRE_THROWS_AS(functional_shares(n, speeds, size_per_item, most), Error);
      continue;
    }
    const Shares shares = functional_shares(n, speeds, size_per_item, most);
    REQUIRE(std::accumulate(shares.begin(), shares.end(), std::int64_t{0}) == n);
    for (std::size_t r = 0; r < ranks; ++r) REQUIRE((shares[r] >= 0 && shares[r] <= most[r]));
    REQUIRE(longest(shares, speeds, size_per_item) <= best * about);
  }
}

TEST_CASE("no item of functional shares is better off elsewhere") {
  std::mt19937_64 random(3);
  for (std::size_t ranks = 1; ranks <= 64; ++ranks) {
    for (const std::int64_t n : {std::int64_t{5}, std::int64_t{300}, std::int64_t{1'000'003}}) {
      Speeds speeds{SpeedFunction({{0, 5'000'000'000}, {n, 7'000'000'000}})};
      while (speeds.size() < ranks) speeds.push_back(some_speed(random, n));
      const Shares shares = functional_shares(n, speeds, 1);
      REQUIRE(std::accumulate(shares.begin(), shares.end(), std::int64_t{0}) == n);
      const long double mine = longest(shares, speeds, 1);
      for (std::size_t from = 0; from < ranks; ++from) {
        for (std::size_t to = 0; to < ranks; ++to) {
          if (from == to || shares[from] == 0) continue;
          Shares moved = shares;
          --moved[from];
          ++moved[to];
          if (longest(moved, speeds, 1) * about < mine) FAIL(ranks << " ranks, " << n << ": " << from << " to " << to);
        }
      }
    }
  }
}

TEST_CASE("alike ranks get functional shares that differ by one item") {
  for (const std::size_t ranks : {2U, 3U, 7U, 64U}) {
    const Speeds speeds(ranks, SpeedFunction({{10, 5'000'000'000}, {1000, 1'000'000'000}}));
    for (const std::int64_t n : {1, 65, 999, 100'000}) {
      const Shares shares = functional_shares(n, speeds, 1);
      const auto [low, high] = std::minmax_element(shares.begin(), shares.end());
      REQUIRE(*high - *low <= 1);
      REQUIRE(std::is_sorted(shares.rbegin(), shares.rend()));
    }
  }
}

TEST_CASE("functional shares of very many items do not overflow") {
  const Speeds speeds{SpeedFunction({{0, huge}, {huge, 1}}), SpeedFunction({{0, huge}, {huge, huge}}),
                      SpeedFunction::constant(1)};
  const Shares shares = functional_shares(huge, speeds, huge);
  CHECK(shares[0] + shares[1] + shares[2] == huge);
  CHECK(shares[1] > huge / 2);
}

TEST_CASE("functional shares that cannot be made are errors") {
  const Speeds one{SpeedFunction({{4, 4000}, {8, 1000}})};
  const Speeds none{SpeedFunction::constant(0), SpeedFunction({{1, 0}, {5, 0}})};
  CHECK_THROWS_AS(functional_shares(-1, one, 1), Error);
  CHECK_THROWS_AS(functional_shares(5, one, 0), Error);
  CHECK_THROWS_AS(functional_shares(5, none, 1), Error);
  CHECK_THROWS_AS(functional_shares(5, Speeds{}, 1), Error);
  CHECK_THROWS_AS(functional_shares(5, one, 1, Shares{1, 2}), Error);
  CHECK_THROWS_AS(functional_shares(5, one, 1, Shares{-1}), Error);
  CHECK_THROWS_WITH(functional_shares(5, one, 1, Shares{4}), Catch::Contains("5 items") && Catch::Contains("do 4"));
}
