#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/models/laboratory.hpp>

namespace tombolo {

/// The timings of one experiment, and whether they are enough.
class Series {
 public:
  /// The first `untimed` times do not count: what they bring about (connections, pages of memory) is not measured.
  Series(const Repeat& repeat, bool noisy, int untimed) : repeat_(repeat), noisy_(noisy), untimed_(untimed) {}

  /// How often the experiment is made, the untimed ones included, where that is known before; else 0.
  int known_rounds() const { return repeat_.most <= 1 || (!noisy_ && repeat_.least <= 1) ? untimed_ + 1 : 0; }
  void add(Picoseconds time);
  bool enough() const;
  /// The median.
  Measured result() const;
  /// In the order in which they were taken, without the untimed.
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
