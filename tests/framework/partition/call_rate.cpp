#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/partition/call_rate.hpp>

using namespace tombolo;

TEST_CASE("a call is made to warm up and three times to measure, even if the time is over") {
  int calls = 0;
  const std::int64_t rate = measure_call_rate(
      1000, [&calls] { ++calls; }, from_now(-1));
  CHECK(calls == 4);
  CHECK(rate > 1'000'000);  // a thousand in less than a millisecond
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
  CHECK(rate > 250'000'000);     // the first call alone takes five
}

TEST_CASE("no speed rounds to nothing") {
  CHECK(measure_call_rate(
            0, [] {}, from_now(0)) == 1);
}

TEST_CASE("the time of a call is the median, whatever delays a few, unless a quota makes calls pause") {
  CHECK(call_time(std::vector<double>{1, 1, 9, 1, 1}, 0) == 1);
  CHECK(call_time(std::vector<double>{1, 1, 9, 1, 1}, 2) == 1);  // one in six periods is no quota's pause
  CHECK(call_time(std::vector<double>{1, 1, 1, 7, 1, 1, 1, 7}, 10) == 2.5);
  CHECK(call_time(std::vector<double>{30, 34, 30}, 20) == 30);
  CHECK(call_time(std::vector<double>{5}, 20) == 5);
}

TEST_CASE("under a quota a call takes its share of the whole period") {
  for (const double share : {0.1, 0.4, 0.8}) {
    for (const double call : {0.001, 0.013, 0.21, 0.33}) {
      for (const double begin : {0.0, 0.05, 0.9}) {
        const double period = 1;
        std::vector<double> times;
        double now = begin;
        double left = share;  // of this period
        while (now < begin + 6 * period) {
          const double start = now;
          for (double rest = call; rest > 0;) {
            const double end = std::floor(now / period + 1e-9) * period + period;
            const double run = std::min({rest, left, end - now});
            rest -= run;
            left -= run;
            now += run;
            if (left < 1e-9 || now > end - 1e-9) {
              now = rest > 0 ? end : now;
              left = now > end - 1e-9 ? share : 0;
            }
          }
          times.push_back(now - start);
        }
        CAPTURE(share, call, begin);
        CHECK(call_time(times, period) == Approx(call / share).epsilon(0.3));
      }
    }
  }
}
