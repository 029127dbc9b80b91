#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/measuring/sample.hpp>

using namespace tombolo;

namespace {

using Random = std::mt19937_64;
using Figures = std::vector<std::int64_t>;
using Draw = std::function<double(Random&)>;

Figures draw(const Draw& one, int count, Random& random) {
  Figures figures;
  for (int i = 0; i < count; ++i) figures.push_back(std::llround(one(random)));
  return figures;
}

const Draw normal = [](Random& r) { return std::normal_distribution<double>(1e6, 1e5)(r); };
const Draw uniform = [](Random& r) { return std::uniform_real_distribution<double>(0, 2e6)(r); };
// As latencies are: a least value and a long tail above it. The median is where half of it is.
const Draw tailed = [](Random& r) {
  return 1e6 - 2e5 * std::log(2.0) + std::exponential_distribution<double>(5e-6)(r);
};
constexpr double true_median = 1e6;

}  // namespace

TEST_CASE("few measurements: the middle one, and half of what they spread over") {
  CHECK(median_of(Figures{}) == Measured{});
  CHECK(median_of(Figures{7}) == Measured{7, 0});
  CHECK(median_of(Figures{9, 9, 9, 9, 9}) == Measured{9, 0});
  CHECK(median_of(Figures{30, 10, 20}) == Measured{20, 10});
  CHECK(median_of(Figures{5, 1, 4, 2, 3}) == Measured{3, 2});
  CHECK(median_of(Figures{1, 2}).error == 1);  // rounded up, as an interval that is too narrow says too much
}

TEST_CASE("the interval holds the true median in about 95 of 100 cases") {
  constexpr int trials = 1000;
  for (const Draw& distribution : {normal, uniform, tailed}) {
    for (const int count : {6, 7, 8, 10, 16, 25, 50, 101}) {
      int held = 0;
      for (unsigned seed = 0; seed < trials; ++seed) {
        Random random(seed);
        const Measured median = median_of(draw(distribution, count, random));
        if (std::abs(static_cast<double>(median.value) - true_median) <= static_cast<double>(median.error)) ++held;
      }
      INFO(count << " measurements");
      CHECK(held >= trials * 93 / 100);
    }
  }
}

TEST_CASE("more measurements make it narrower, as their square root") {
  const auto mean_error = [](int count) {
    double sum = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
      Random random(seed);
      sum += static_cast<double>(median_of(draw(normal, count, random)).error);
    }
    return sum / 100;
  };
  const double of_25 = mean_error(25);
  CHECK(mean_error(100) == Approx(of_25 / 2).epsilon(0.25));
  CHECK(mean_error(400) == Approx(of_25 / 4).epsilon(0.25));
}

TEST_CASE("outliers and order do not move it") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Figures figures = draw(normal, 50, random);
    const Measured before = median_of(figures);
    std::shuffle(figures.begin(), figures.end(), random);
    CHECK(median_of(figures) == before);
    // One in ten, as when something else ran, is a thousand times as large.
    for (std::size_t i = 0; i < figures.size(); i += 10) figures[i] *= 1000;
    const Measured after = median_of(figures);
    CHECK(std::abs(after.value - before.value) <= before.error);
    CHECK(after.error < 200'000);
  }
}

TEST_CASE("a figure is precise once its interval is narrow enough") {
  CHECK(is_precise({.value = 100, .error = 2}, 0.02));
  CHECK_FALSE(is_precise({.value = 100, .error = 3}, 0.02));
  CHECK(is_precise({.value = 0, .error = 0}, 0.02));
  CHECK_FALSE(is_precise({.value = 0, .error = 1}, 0.02));
}
