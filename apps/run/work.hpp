#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "run/timeline.hpp"

namespace tombolo {

/// What the ranks do by themselves in some of the phases, counted in units, and how its speed is told.
struct Work {
  std::vector<double> amount;        ///< of each rank, in units
  std::vector<std::int64_t> probed;  ///< units per second of each rank, measured before the run; 0 where not measured
  std::vector<std::size_t> phases;   ///< in which it is done
  std::string unit;                  ///< "flop": tables say Gflop/s
  std::string key;                   ///< "flops": JSON members that hold units per second are called so, or end so
  std::string verb;                  ///< "compute"
  std::string gerund;                ///< "computing"

  double total() const;
  /// Units per second reached in those phases, by one rank, and by all until the slowest was done; 0 where there was
  /// nothing to do.
  double rank_speed(const Timeline& timeline, std::size_t rank) const;
  double speed(const Timeline& timeline) const;
};

/// amount / seconds; 0 where that took no time.
constexpr double per_second(double amount, double seconds) {
  return seconds > 0 ? amount / seconds : 0;
}

}  // namespace tombolo
