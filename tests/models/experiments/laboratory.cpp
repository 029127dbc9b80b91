#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/laboratory.hpp>

using namespace tombolo;

namespace {

// After how many of these times it has enough.
int taken(Series series, const std::vector<Picoseconds>& times) {
  int taken = 0;
  for (const Picoseconds time : times) {
    if (series.enough()) break;
    series.add(time);
    ++taken;
  }
  CHECK(series.enough());
  return taken;
}

}  // namespace

TEST_CASE("times are taken until their median is precise, at least and at most so often") {
  const std::vector<Picoseconds> noisy = {100, 150, 120, 100, 180, 100, 101, 100, 99, 100};
  CHECK(taken(Series({.least = 2, .most = 4}, true, 0), noisy) == 4);
  CHECK(taken(Series({.least = 2, .most = 10, .precision = 0.3}, true, 0), noisy) == 2);
  CHECK(taken(Series({.least = 5, .most = 10, .precision = 10}, true, 0), noisy) == 5);
  CHECK(taken(Series({.least = 1, .most = 10, .precision = 10}, true, 0), noisy) == 2);
  CHECK(taken(Series({.least = 1, .most = 1}, true, 0), noisy) == 1);
}

TEST_CASE("in a hurry the first timing that counts is the last") {
  Series series({.least = 5}, true, 1);
  series.hurry();
  CHECK_FALSE(series.enough());
  series.add(1);
  CHECK_FALSE(series.enough());
  series.add(7);
  CHECK(series.enough());
  CHECK(series.result().value == 7);
}

TEST_CASE("simulated times are taken until two are equal") {
  CHECK(taken(Series({.least = 2}, false, 0), {1'000'000'000, 1'000'000'001}) == 2);
  CHECK(taken(Series({.least = 9}, false, 0), {1'000'000'000, 1'200'000'000, 1'200'000'000}) == 3);
  CHECK(taken(Series({.least = 1}, false, 0), {5}) == 1);
}

TEST_CASE("untimed rounds come first, and are known of where there is one timing") {
  Series series({.least = 1, .most = 1}, true, 1);
  CHECK(series.known_rounds() == 2);
  series.add(1000);
  CHECK_FALSE(series.enough());
  series.add(10);
  CHECK(series.enough());
  CHECK(series.result() == Measured{.value = 10});
  CHECK(series.timings() == 1);
  CHECK(Series({.least = 1}, false, 0).known_rounds() == 1);
  CHECK(Series({.least = 1}, true, 0).known_rounds() == 0);
  CHECK(Series({.least = 2}, false, 0).known_rounds() == 0);
}
