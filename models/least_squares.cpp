#include <algorithm>
#include <vector>

#include <tombolo/models/least_squares.hpp>

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

Line theil_sen(std::span<const double> x, std::span<const double> y) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[i] != x[j]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
    }
  }
  const double slope = middle_of(slopes);
  std::vector<double> intercepts;
  for (std::size_t i = 0; i < x.size(); ++i) intercepts.push_back(y[i] - slope * x[i]);
  return {.intercept = middle_of(intercepts), .slope = slope};
}

}  // namespace tombolo
