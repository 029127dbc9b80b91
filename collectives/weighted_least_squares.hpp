#pragma once

#include <optional>
#include <vector>

namespace tombolo {

/// One equation: the sum over j of coefficients[j] x[j] should be `value`, which counts by the square of `weight`.
struct LinearEquation {
  std::vector<double> coefficients;
  double value = 0;
  double weight = 1;
};

/// The x that leaves the smallest sum of squares of weighted residuals; nothing where the equations, all of as many
/// coefficients, do not determine it. In floating point: what comes out is rounded and agreed on before it decides.
std::optional<std::vector<double>> weighted_least_squares(const std::vector<LinearEquation>& equations);

}  // namespace tombolo
