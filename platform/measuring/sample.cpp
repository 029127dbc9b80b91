#include <algorithm>
#include <cmath>
#include <vector>

#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

Measured quantile_of(std::span<const std::int64_t> measurements, double quantile) {
  if (measurements.empty()) return {};
  std::vector<std::int64_t> sorted(measurements.begin(), measurements.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t last = sorted.size() - 1;
  const auto n = static_cast<double>(sorted.size());
  const auto at = [&](double place) {
    return sorted[std::min(last, static_cast<std::size_t>(std::max(0.0, std::floor(place))))];
  };
  const std::int64_t value = at(n * quantile);
  if (sorted.size() < 6) return {.value = value, .error = (sorted.back() - sorted.front() + 1) / 2};
  // The number of measurements below the quantile has a binomial distribution; 1.96 standard deviations to either side.
  const double deviation = 1.96 * std::sqrt(n * quantile * (1 - quantile));
  const std::int64_t low = at(n * quantile - deviation);
  const std::int64_t high = at(std::ceil(n * quantile + deviation));
  return {.value = value, .error = std::max(value - low, high - value)};
}

Measured median_of(std::span<const std::int64_t> measurements) {
  return quantile_of(measurements, 0.5);
}

std::optional<Measured> steady_median(std::span<const std::int64_t> measurements, std::size_t count, double precision) {
  if (count == 0 || measurements.size() < count) return std::nullopt;
  const Measured last = median_of(measurements.last(count));
  return is_precise(last, precision) ? std::optional(last) : std::nullopt;
}

bool is_precise(Measured figure, double precision) {
  return static_cast<double>(figure.error) <= precision * static_cast<double>(figure.value);
}

}  // namespace tombolo
