#include <algorithm>
#include <cmath>
#include <utility>

#include <tombolo/models/fitting/least_squares.hpp>

namespace tombolo {

namespace {

template <class Weight>
Line fitted(std::span<const double> x, std::span<const double> y, Weight weight) {
  double total = 0;
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    total += weight(i);
    mean_x += weight(i) * x[i];
    mean_y += weight(i) * y[i];
  }
  mean_x /= total;
  mean_y /= total;
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += weight(i) * (x[i] - mean_x) * (x[i] - mean_x);
    xy += weight(i) * (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = xx > 0 ? xy / xx : 0;
  return {.intercept = mean_y - slope * mean_x, .slope = slope};
}

using Matrix = std::vector<std::vector<double>>;

// Gaussian elimination with pivoting on normalised columns, so that a small pivot means linear dependence.
std::optional<std::vector<double>> solve(Matrix a, std::vector<double> b) {
  constexpr double least_pivot = 1e-10;
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    if (!(std::abs(a[pivot][column]) > least_pivot)) return std::nullopt;
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t j = column; j < n; ++j) a[row][j] -= factor * a[column][j];
      b[row] -= factor * b[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t j = row + 1; j < n; ++j) b[row] -= a[row][j] * b[j];
    b[row] /= a[row][row];
  }
  return b;
}

}  // namespace

Line least_squares(std::span<const double> x, std::span<const double> y) {
  return fitted(x, y, [](std::size_t) { return 1.0; });
}

Line relative_least_squares(std::span<const double> x, std::span<const double> y) {
  return fitted(x, y, [&](std::size_t i) { return 1.0 / (y[i] * y[i]); });
}

double middle_of(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  const auto half = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), half, sorted.end());
  if (sorted.size() % 2 == 1) return *half;
  return (*std::max_element(sorted.begin(), half) + *half) / 2;
}

std::optional<std::vector<double>> weighted_least_squares(const std::vector<LinearEquation>& equations) {
  if (equations.empty()) return std::nullopt;
  const std::size_t n = equations.front().coefficients.size();
  std::vector<double> length(n, 0);
  for (const LinearEquation& equation : equations) {
    for (std::size_t i = 0; i < n; ++i) length[i] += std::pow(equation.weight * equation.coefficients[i], 2);
  }
  for (double& l : length) {
    if (!(l > 0)) return std::nullopt;
    l = std::sqrt(l);
  }
  Matrix normal(n, std::vector<double>(n, 0));
  std::vector<double> right(n, 0);
  for (const LinearEquation& equation : equations) {
    for (std::size_t i = 0; i < n; ++i) {
      const double scaled = equation.weight * equation.coefficients[i] / length[i];
      right[i] += scaled * equation.weight * equation.value;
      for (std::size_t j = 0; j < n; ++j)
        normal[i][j] += scaled * equation.weight * equation.coefficients[j] / length[j];
    }
  }
  std::optional<std::vector<double>> x = solve(std::move(normal), std::move(right));
  for (std::size_t i = 0; x && i < n; ++i) (*x)[i] /= length[i];
  return x;
}

}  // namespace tombolo
