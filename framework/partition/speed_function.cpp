#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

SpeedFunction::SpeedFunction(std::vector<SpeedPoint> points) : points_(std::move(points)) {
  if (points_.empty()) throw Error("a speed function of no points", "give the speed at one size at least");
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const auto [size, speed] = points_[p];
    if (size < 0) throw Error(fmt::format("a speed at size {}", size), "give sizes of 0 or more");
    if (speed < 0) throw Error(fmt::format("speed {} at size {}", speed, size), "give speeds of 0 or more");
    if (p > 0 && points_[p - 1].size >= size) {
      throw Error(fmt::format("a speed at size {} after one at size {}", size, points_[p - 1].size),
                  "give sizes in ascending order, each once");
    }
  }
}

SpeedFunction SpeedFunction::constant(std::int64_t speed) {
  return SpeedFunction({{.size = 0, .speed = speed}});
}

std::int64_t SpeedFunction::at(std::int64_t size) const {
  const auto right = std::upper_bound(points_.begin(), points_.end(), size,
                                      [](std::int64_t s, const SpeedPoint& point) { return s < point.size; });
  if (right == points_.begin()) return points_.front().speed;
  if (right == points_.end()) return points_.back().speed;
  const auto left = right - 1;
  const UnsignedWide weighted = static_cast<UnsignedWide>(left->speed) * static_cast<UnsignedWide>(right->size - size) +
                                static_cast<UnsignedWide>(right->speed) * static_cast<UnsignedWide>(size - left->size);
  return static_cast<std::int64_t>(weighted / static_cast<UnsignedWide>(right->size - left->size));
}

Picoseconds SpeedFunction::time(std::int64_t operations, std::int64_t size) const {
  if (operations == 0) return 0;
  const std::int64_t speed = at(size);
  return speed > 0 ? transfer_time(operations, speed) : never;
}

SpeedFunction SpeedFunction::slower(double times) const {
  std::vector<SpeedPoint> points = points_;
  for (SpeedPoint& point : points) {
    if (point.speed > 0)
      point.speed = std::max<std::int64_t>(std::llround(static_cast<double>(point.speed) / times), 1);
  }
  return SpeedFunction(std::move(points));
}

bool SpeedFunction::is_constant() const {
  return std::all_of(points_.begin(), points_.end(),
                     [this](const SpeedPoint& point) { return point.speed == points_.front().speed; });
}

}  // namespace tombolo
