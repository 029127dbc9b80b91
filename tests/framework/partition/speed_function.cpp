#include <limits>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

namespace {
constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
}

TEST_CASE("a speed function is linear between its points and constant beyond them") {
  const SpeedFunction speed({{100, 4000}, {200, 1000}, {1000, 1500}});
  CHECK(speed.at(0) == 4000);
  CHECK(speed.at(100) == 4000);
  CHECK(speed.at(150) == 2500);
  CHECK(speed.at(200) == 1000);
  CHECK(speed.at(201) == 1000);  // 1000.6
  CHECK(speed.at(600) == 1250);
  CHECK(speed.at(1000) == 1500);
  CHECK(speed.at(huge) == 1500);
  CHECK_FALSE(speed.is_constant());
}

TEST_CASE("a speed function stays between its neighbours and does not overflow") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000; ++round) {
    const auto any = [&] { return static_cast<std::int64_t>(random() >> 1); };
    const std::int64_t low = any() / 2;
    const std::int64_t high = low + 1 + any() / 2;
    const SpeedFunction speed({{low, any()}, {high, any()}});
    const std::int64_t size = low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low));
    const auto [a, b] = std::minmax(speed.points()[0].speed, speed.points()[1].speed);
    REQUIRE(speed.at(size) >= a);
    REQUIRE(speed.at(size) <= b);
  }
}

TEST_CASE("a constant speed function is the same everywhere") {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, std::int64_t{50'000'000'000}, huge}) {
    const SpeedFunction speed = SpeedFunction::constant(value);
    CHECK(speed.is_constant());
    for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, huge}) CHECK(speed.at(size) == value);
  }
  CHECK(SpeedFunction({{5, 7}, {9, 7}}).is_constant());
}

TEST_CASE("a speed function says what operations take") {
  const SpeedFunction speed({{10, 1'000'000'000}, {20, 0}});
  CHECK(speed.time(1, 10) == 1000);
  CHECK(speed.time(1'000'000'000, 15) == 2 * picoseconds_per_second);
  CHECK(speed.time(0, 20) == 0);
  CHECK(speed.time(1, 20) == never);
  CHECK(SpeedFunction::constant(1).time(huge, 1) == never);
  CHECK(SpeedFunction::constant(3).time(1, 1) == 333'333'333'334);  // rounded up
}

TEST_CASE("speed functions that are none are errors") {
  CHECK_THROWS_AS(SpeedFunction({}), Error);
  CHECK_THROWS_AS(SpeedFunction({{1, 5}, {1, 6}}), Error);
  CHECK_THROWS_AS(SpeedFunction({{2, 5}, {1, 6}}), Error);
  CHECK_THROWS_AS(SpeedFunction({{-1, 5}}), Error);
  CHECK_THROWS_AS(SpeedFunction({{1, -5}}), Error);
  CHECK_THROWS_AS(SpeedFunction::constant(-1), Error);
}
