#include <catch2/catch.hpp>

#include <tombolo/models/fitting/least_squares.hpp>

using namespace tombolo;

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
