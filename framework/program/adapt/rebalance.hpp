#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/framework/program/declare/division.hpp>

namespace tombolo {

/// Measurements of a loop since the last check.
struct Passes {
  std::int64_t count = 0;
  double each_s = 0;                    ///< seconds of a pass, waiting included
  std::span<const double> computing_s;  ///< of each member, in all of these passes
};

/// Decides when uneven shares change: as soon as the time lost since they were chosen equals the time to move the data.
/// The total is then at most twice that of an optimal decision, whatever follows (ski rental, Karlin et al. 1988). A
/// change after which passes take longer is undone, and the next change is delayed, twice as long each time: a measured
/// speed may not last, e.g. of a processor with a quota, which is fast until the quota is used up.
class Rebalance {
 public:
  explicit Rebalance(const DeclaredDomain& slices) : slices_(slices) {}

  /// Returns the new shares, or none to keep the present ones. `move_s` gives the seconds of a move to new shares.
  /// Members without items get none.
  std::optional<Division> look(const Division& now, const Passes& passes,
                               const std::function<double(const Division&)>& move_s);

 private:
  std::optional<Division> improved(const Division& now, const Passes& passes);

  const DeclaredDomain& slices_;
  // Work and seconds of each member, halved at every check: a short disturbance is no change of speed.
  std::vector<double> work_;
  std::vector<double> seconds_;
  double lost_ = 0;                 // seconds lost since shares were chosen
  std::optional<Division> before_;  // shares before the last change, until the change is judged
  double each_before_ = 0;          // seconds of a pass before the last change
  double each_last_ = 0;
  int waits_ = 0;  // checks to skip
  int next_wait_ = 4;
};

}  // namespace tombolo
