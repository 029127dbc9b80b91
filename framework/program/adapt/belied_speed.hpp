#pragma once

#include <optional>
#include <span>

#include <tombolo/platform/units.hpp>

namespace tombolo {

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
