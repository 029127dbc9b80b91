#include <algorithm>
#include <cmath>
#include <vector>

#include <tombolo/platform/sample.hpp>

namespace tombolo {

Measured median_of(std::span<const std::int64_t> measurements) {
  if (measurements.empty()) return {};
  std::vector<std::int64_t> sorted(measurements.begin(), measurements.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  const std::int64_t median = sorted[n / 2];
  std::size_t low = 0;
  std::size_t high = n - 1;
  if (n >= 6) {
    // The number of measurements below the median is binomial; 1.96 of its standard deviations to either side.
    const double half = static_cast<double>(n) / 2;
    const double deviation = 0.98 * std::sqrt(static_cast<double>(n));
    low = static_cast<std::size_t>(std::max(0.0, std::floor(half - deviation)));
    high = std::min(n - 1, static_cast<std::size_t>(std::ceil(half + deviation)));
    return {.value = median, .error = std::max(median - sorted[low], sorted[high] - median)};
  }
  return {.value = median, .error = (sorted[high] - sorted[low] + 1) / 2};
}

bool is_precise(Measured figure, double precision) {
  return static_cast<double>(figure.error) <= precision * static_cast<double>(figure.value);
}

}  // namespace tombolo
