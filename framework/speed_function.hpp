#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/platform/description/processor.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The speed of a processor as a function of the problem size: operations per second, piecewise linear between the
/// measured points, constant beyond both ends. Integers, rounded down, so the same on all hosts. Source: the functional
/// performance model, Lastovetsky and Reddy, "Data partitioning with a functional performance model of heterogeneous
/// processors", 2007.
///
///     SpeedFunction({{100, 4000}, {200, 1000}}).at(150) = 2500, of 50: 4000, of 300: 1000
class SpeedFunction {
 public:
  /// Makes a function of one or more points, sizes ascending. Throws Error for no points, for sizes that do not ascend
  /// or are negative, and for negative speeds. Speed 0: the rank cannot do problems of this size.
  explicit SpeedFunction(std::vector<SpeedPoint> points);
  /// Makes a function with the same speed at every size. Throws Error if the speed is negative.
  static SpeedFunction constant(std::int64_t speed);

  /// Returns the operations per second for a problem of this size (0 or more).
  std::int64_t at(std::int64_t size) const;
  /// Returns the time of `operations` (0 or more) on a problem of this size, rounded up; `never` if the speed is 0.
  Picoseconds time(std::int64_t operations, std::int64_t size) const;
  /// Returns a function that is slower by the factor `times` at every size; nonzero speeds stay at least 1.
  SpeedFunction slower(double times) const;
  /// Returns true if the speed is the same at every size.
  bool is_constant() const;
  const std::vector<SpeedPoint>& points() const { return points_; }

  bool operator==(const SpeedFunction&) const = default;

 private:
  std::vector<SpeedPoint> points_;
};

}  // namespace tombolo
