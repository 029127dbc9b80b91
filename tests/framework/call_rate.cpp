#include <chrono>

#include <catch2/catch.hpp>

#include <tombolo/framework/call_rate.hpp>

using namespace tombolo;

TEST_CASE("a call is made to warm up and three times to measure, even if the time is over") {
  int calls = 0;
  const std::int64_t rate = measure_call_rate(
      1000, [&calls] { ++calls; }, from_now(-1));
  CHECK(calls == 4);
  CHECK(rate >= 1);
}

TEST_CASE("the speed is that of the median call, and calls go on until the time is over") {
  using Clock = std::chrono::steady_clock;
  const auto until = from_now(0.02);
  int calls = 0;
  const auto call = [&calls] {
    const auto end = from_now(calls++ == 0 ? 0.005 : 0.001);  // the first one is slow
    while (Clock::now() < end) continue;
  };
  const std::int64_t rate = measure_call_rate(1e6, call, until);
  CHECK(Clock::now() >= until);
  CHECK(rate <= 1'000'000'000);  // a million in no less than a millisecond
  CHECK(rate >= 1);
}

TEST_CASE("no speed rounds to nothing") {
  CHECK(measure_call_rate(
            0, [] {}, from_now(0)) == 1);
}
