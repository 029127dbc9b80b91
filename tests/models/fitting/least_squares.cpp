#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/fitting/least_squares.hpp>
#include <tombolo/models/kinds/lmo/lmo_estimate.hpp>

using namespace tombolo;

TEST_CASE("points on a line give that line, by every method") {
  const std::vector<double> x = {0, 1, 2, 5, 9};
  std::vector<double> y;
  for (const double value : x) y.push_back(3 + 0.5 * value);
  for (const Line& line : {least_squares(x, y), relative_least_squares(x, y)}) {
    CHECK(line.intercept == Approx(3));
    CHECK(line.slope == Approx(0.5));
    CHECK(line.at(100) == Approx(53));
  }
}

TEST_CASE("no other line has less residual") {
  std::mt19937 random(5);
  std::normal_distribution<double> noise;
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 30; ++i) {
    x.push_back(i);
    y.push_back(10 + 2 * i + noise(random));
  }
  const auto residual = [&](const Line& line, bool relative) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double off = (y[i] - line.at(x[i])) / (relative ? y[i] : 1);
      sum += off * off;
    }
    return sum;
  };
  const Line plain = least_squares(x, y);
  const Line relative = relative_least_squares(x, y);
  for (const double a : {-0.01, 0.0, 0.01}) {
    for (const double b : {-0.001, 0.0, 0.001}) {
      CHECK(residual(plain, false) <= residual({plain.intercept + a, plain.slope + b}, false));
      CHECK(residual(relative, true) <= residual({relative.intercept + a, relative.slope + b}, true));
    }
  }
}

TEST_CASE("where times have relative noise, residuals in proportion find a small intercept") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(0.95, 1.05);
  const std::vector<double> x = {0, 1, 2, 5, 10, 20, 40, 60, 80, 100};
  double worst = 0;
  double worst_plain = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> y;
    for (const double value : x) y.push_back((5 + value) * noise(random));
    worst = std::max(worst, std::abs(relative_least_squares(x, y).intercept / 5 - 1));
    worst_plain = std::max(worst_plain, std::abs(least_squares(x, y).intercept / 5 - 1));
  }
  CHECK(worst < 0.06);
  CHECK(worst_plain > 2 * worst);
}

TEST_CASE("points above each other make a level line") {
  const std::vector<double> x = {4, 4, 4};
  const std::vector<double> y = {1, 2, 6};
  CHECK(least_squares(x, y).slope == 0);
  CHECK(least_squares(x, y).intercept == Approx(3));
}

TEST_CASE("averages, with and without what is far off") {
  const std::vector<double> values = {5, 1, 2, 3, 1000};
  CHECK(averaged(values, Averaging::mean) == Approx(202.2));
  CHECK(averaged(values, Averaging::trimmed) == Approx(10.0 / 3));
  CHECK(averaged(values, Averaging::median) == 3);
  CHECK(averaged({1, 2}, Averaging::trimmed) == 1.5);
  CHECK(averaged({1, 2}, Averaging::median) == 1.5);
  CHECK(averaged({}, Averaging::trimmed) == 0);
}

TEST_CASE("least squares find what equations were made of") {
  const std::vector<double> truth = {3e-9, -2, 5e6};
  std::vector<LinearEquation> equations;
  for (int i = 1; i <= 7; ++i) {
    const std::vector<double> row = {1e9 * i, static_cast<double>(i * i), 1e-6 * (i % 3)};
    equations.push_back({row, row[0] * truth[0] + row[1] * truth[1] + row[2] * truth[2], 1.0 / i});
  }
  const auto found = weighted_least_squares(equations);
  REQUIRE(found);
  for (std::size_t i = 0; i < truth.size(); ++i) CHECK((*found)[i] == Approx(truth[i]).epsilon(1e-7));
}

TEST_CASE("weights count by their squares") {
  const std::vector<LinearEquation> equations = {{{1}, 10, 1}, {{1}, 20, 2}};
  CHECK(weighted_least_squares(equations)->front() == Approx((10 + 4 * 20) / 5.0));
}

TEST_CASE("what is not determined is not made up") {
  CHECK_FALSE(weighted_least_squares({}));
  CHECK_FALSE(weighted_least_squares({{{1, 1}, 10}}));
  CHECK_FALSE(weighted_least_squares({{{1, 2}, 10}, {{2, 4}, 20}, {{3, 6}, 5}}));
  CHECK_FALSE(weighted_least_squares({{{1, 0}, 10}, {{2, 0}, 20}}));
}
