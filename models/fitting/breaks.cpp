#include <algorithm>
#include <cmath>
#include <limits>

#include <tombolo/models/fitting/breaks.hpp>

namespace tombolo {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The residual of one line through points i to j, inclusive, for all i <= j. The sums for each i are updated point by
// point about the running means, which avoids the cancellation of plain sums of squares.
class Residuals {
 public:
  Residuals(std::span<const double> x, std::span<const double> y) : points_(x.size()) {
    table_.reserve(points_ * (points_ + 1) / 2);
    for (std::size_t i = 0; i < points_; ++i) {
      double count = 0;
      double mean_x = 0;
      double mean_y = 0;
      double xx = 0;
      double xy = 0;
      double yy = 0;
      for (std::size_t j = i; j < points_; ++j) {
        ++count;
        const double dx = x[j] - mean_x;
        const double dy = y[j] - mean_y;
        mean_x += dx / count;
        mean_y += dy / count;
        xx += dx * (x[j] - mean_x);
        xy += dx * (y[j] - mean_y);
        yy += dy * (y[j] - mean_y);
        table_.push_back(std::max(0.0, xx > 0 ? yy - xy * xy / xx : yy));
      }
    }
  }
  double of(std::size_t i, std::size_t j) const { return table_[i * points_ - i * (i + 1) / 2 + j]; }

 private:
  std::size_t points_;
  std::vector<double> table_;  // row i: j from i on
};

}  // namespace

std::vector<Segments> optimal_partitions(std::span<const double> x, std::span<const double> y, std::size_t most,
                                         std::size_t shortest) {
  const std::size_t points = x.size();
  const Residuals residuals(x, y);
  std::vector<Segments> partitions;
  if (points == 0) return partitions;
  // best[j]: least residual of points 0 to j in `segments` segments; from[s][j]: first point of the last of s + 1
  // segments.
  std::vector<double> best(points);
  for (std::size_t j = 0; j < points; ++j) best[j] = residuals.of(0, j);
  std::vector<std::vector<std::size_t>> from = {std::vector<std::size_t>(points, 0)};
  partitions.push_back({.breaks = {}, .residual = best.back()});
  for (std::size_t segments = 2; segments <= most && segments * shortest <= points; ++segments) {
    std::vector<double> next(points, infinite);
    from.emplace_back(points, 0);
    for (std::size_t j = segments * shortest - 1; j < points; ++j) {
      for (std::size_t i = (segments - 1) * shortest; i + shortest <= j + 1; ++i) {
        const double residual = best[i - 1] + residuals.of(i, j);
        if (residual < next[j]) {
          next[j] = residual;
          from.back()[j] = i;
        }
      }
    }
    best = std::move(next);
    Segments partition{.breaks = {}, .residual = best.back()};
    for (std::size_t s = segments - 1, end = points - 1; s > 0; --s) {
      partition.breaks.insert(partition.breaks.begin(), from[s][end]);
      end = from[s][end] - 1;
    }
    partitions.push_back(std::move(partition));
  }
  return partitions;
}

const Segments& best_by_bic(std::span<const Segments> partitions, std::size_t points, double resolution) {
  const auto n = static_cast<double>(points);
  const auto criterion = [&](const Segments& partition) {
    const double variance = std::max({partition.residual / n, resolution * resolution, 1e-300});
    return n * std::log(variance) + 3 * static_cast<double>(partition.segments()) * std::log(n);
  };
  return *std::ranges::min_element(partitions,
                                   [&](const Segments& a, const Segments& b) { return criterion(a) < criterion(b); });
}

Segments find_breaks(std::span<const double> x, std::span<const double> y, std::size_t most, std::size_t shortest) {
  if (x.empty()) return {};
  double total = 0;
  for (const double value : y) total += std::abs(value);
  const std::vector<Segments> partitions = optimal_partitions(x, y, most, shortest);
  return best_by_bic(partitions, x.size(), total / static_cast<double>(x.size()) / 1000);
}

}  // namespace tombolo
