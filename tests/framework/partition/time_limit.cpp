#include <limits>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/framework/partition/time_limit.hpp>

using namespace tombolo;

TEST_CASE("the least time for an amount at a speed is their quotient") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto any = [&] { return static_cast<std::int64_t>(random() >> (1 + random() % 62)) + 1; };
    const std::int64_t amount = any();
    const std::int64_t speed = any();
    const auto time = least_time([&](TimeLimit limit) { return limit.amount(speed) >= amount; });
    REQUIRE(time);
    REQUIRE(time->amount(speed) >= amount);
    const TimeLimit less{time->ticks - 1, time->shift};
    REQUIRE(less.amount(speed) < amount);
    REQUIRE((time->shift == 0 || time->ticks > (std::int64_t{1} << 61)));
  }
}

TEST_CASE("the longest time is enough for any amount, and none may be") {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  CHECK(TimeLimit::longest().amount(1) == huge);
  CHECK(TimeLimit::longest().amount(huge) == huge);
  CHECK(TimeLimit::longest().amount(0) == 0);
  CHECK_FALSE(least_time([](TimeLimit) { return false; }));
  CHECK(least_time([](TimeLimit) { return true; })->amount(huge) == 0);
}
