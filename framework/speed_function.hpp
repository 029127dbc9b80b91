#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/platform/processor.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// How fast a processor does something, as a function of the problem's size: operations per second, piecewise linear
/// between the points that were measured, constant beyond both ends. Integers, rounded down, so the same on all hosts.
/// Source: the functional performance model, Lastovetsky and Reddy, "Data partitioning with a functional performance
/// model of heterogeneous processors", 2007.
///
///     SpeedFunction({{100, 4000}, {200, 1000}}).at(150) = 2500, of 50: 4000, of 300: 1000
class SpeedFunction {
 public:
  /// Of one point or more, sizes ascending. Throws Error for none, for sizes that do not ascend or are negative, and
  /// for negative speeds. Speed 0 means that the rank cannot do problems of the size at all.
  explicit SpeedFunction(std::vector<SpeedPoint> points);
  /// The same at every size. Throws Error if it is negative.
  static SpeedFunction constant(std::int64_t speed);

  /// Operations per second for a problem of this size (0 or more).
  std::int64_t at(std::int64_t size) const;
  /// What so many operations (0 or more) on a problem of this size take, rounded up; `never` where the speed is 0.
  Picoseconds time(std::int64_t operations, std::int64_t size) const;
  /// The speed is the same at every size.
  bool is_constant() const;
  const std::vector<SpeedPoint>& points() const { return points_; }

  bool operator==(const SpeedFunction&) const = default;

 private:
  std::vector<SpeedPoint> points_;
};

}  // namespace tombolo
