#pragma once

#include <span>

namespace tombolo {

/// y = intercept + slope x.
struct Line {
  double intercept = 0;
  double slope = 0;
  double at(double x) const { return intercept + slope * x; }
};

/// The line with the least sum of squared residuals; level where all x are the same. At least one point; as many x as
/// y.
Line least_squares(std::span<const double> x, std::span<const double> y);

/// The same with residuals in proportion to y, for times whose noise is: what is short then counts as much as what is
/// long, else an intercept would drown in the noise of the longest. All y are positive.
Line relative_least_squares(std::span<const double> x, std::span<const double> y);

/// The line of Theil and Sen: the median of the slopes of all pairs of points, then the median of the intercepts. Up to
/// 29 % of the points may be anything. Takes n^2 steps.
Line theil_sen(std::span<const double> x, std::span<const double> y);

/// The value in the middle, or the mean of the two; 0 of none.
double middle_of(std::span<const double> values);

}  // namespace tombolo
