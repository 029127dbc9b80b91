#pragma once

#include <optional>
#include <span>
#include <vector>

namespace tombolo {

/// y = intercept + slope x.
struct Line {
  double intercept = 0;
  double slope = 0;
  double at(double x) const { return intercept + slope * x; }
};

/// The line with the least sum of squared residuals; slope 0 if all x are equal. At least one point; x and y of equal
/// length.
Line least_squares(std::span<const double> x, std::span<const double> y);

/// Least squares with residuals relative to y, for times with noise in proportion to the time. Short and long times
/// then have equal weight; the intercept is not lost in the noise of the longest times. All y are positive.
Line relative_least_squares(std::span<const double> x, std::span<const double> y);

/// The median; the mean of the two middle values for an even count; 0 for no values.
double middle_of(std::span<const double> values);

/// One equation: the sum over j of coefficients[j] x[j] equals `value`, with the square of `weight` as its weight.
struct LinearEquation {
  std::vector<double> coefficients;
  double value = 0;
  double weight = 1;
};

/// Returns the x with the least sum of squares of weighted residuals; nothing if the equations, all with equally many
/// coefficients, do not determine x. In floating point: round the result and agree on it before any decision.
std::optional<std::vector<double>> weighted_least_squares(const std::vector<LinearEquation>& equations);

}  // namespace tombolo
