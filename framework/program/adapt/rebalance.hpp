#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/framework/program/declare/division.hpp>
#include <tombolo/units.hpp>

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

/// Default factor between measured and expected time beyond which a prediction counts as contradicted.
inline constexpr double most_belied = 1.5;

/// A rank's work with one kernel in a run.
struct KernelWork {
  double operations = 0;
  double seconds = 0;  ///< time of the operations
  double speed = 0;    ///< expected operations per second at the rank's problem size
};

/// A speed contradicted by a run.
struct BeliedSpeed {
  Rank rank = 0;
  double factor = 1;  ///< measured / expected time; below 1 if the rank was faster
};

/// Returns the expected speed furthest from the measurement, among those off by more than a factor `most` in either
/// direction; none if all hold. Ranks with less than 0.01 s of work are ignored.
///
///     belied_speed(std::vector<KernelWork>{{.operations = 3e9, .seconds = 6, .speed = 1e9}}) = rank 0, factor 2
std::optional<BeliedSpeed> belied_speed(std::span<const KernelWork> by_rank, double most = most_belied);

}  // namespace tombolo
