#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>

namespace tombolo {

/// The timings of one experiment, with the criterion for their end.
class Series {
 public:
  /// Discards the first `untimed` times, which include one-time costs (connections, pages of memory).
  Series(const Repeat& repeat, bool noisy, int untimed) : repeat_(repeat), noisy_(noisy), untimed_(untimed) {}

  /// The number of executions, untimed ones included, if known in advance; else 0.
  int known_rounds() const { return repeat_.most <= 1 || (!noisy_ && repeat_.least <= 1) ? untimed_ + 1 : 0; }
  void add(Picoseconds time);
  bool enough() const;
  /// The median.
  Measured result() const;
  /// In the order of measurement, without the untimed ones.
  const std::vector<Picoseconds>& times() const { return times_; }
  std::int64_t timings() const { return static_cast<std::int64_t>(times_.size()); }

 private:
  Repeat repeat_;
  bool noisy_;
  int untimed_;
  int made_ = 0;
  std::vector<Picoseconds> times_;
};

}  // namespace tombolo
