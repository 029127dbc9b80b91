#include <algorithm>
#include <cstdlib>

#include <tombolo/models/experiments/series.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

// Simulated clocks are sums of floating point numbers.
constexpr double rounding = 1e-6;

bool equal(Picoseconds one, Picoseconds other) {
  return static_cast<double>(std::abs(one - other)) <= rounding * static_cast<double>(std::max(one, other));
}

}  // namespace

void Series::add(Picoseconds time) {
  if (++made_ > untimed_) times_.push_back(time);
}

bool Series::enough() const {
  const int made = static_cast<int>(times_.size());
  if (made == 0) return false;
  if (made >= repeat_.most) return true;
  if (made < (noisy_ ? repeat_.least : std::min(repeat_.least, 2))) return false;
  if (!noisy_ && (made == 1 || equal(times_[times_.size() - 2], times_.back()))) return true;
  return made > 1 && is_precise(result(), repeat_.precision);
}

Measured Series::result() const {
  return median_of(times_);
}

}  // namespace tombolo
