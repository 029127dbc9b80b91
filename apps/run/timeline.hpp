#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/framework/program/run_report.hpp>

#include "run/forecast.hpp"
#include "run/stopwatch.hpp"

namespace tombolo {

struct Phase {
  std::string name;  ///< "bcast B"
  PhaseForecast forecast;
};

/// The phases of a run, one after the other: what was expected of each, and when each rank ended it. In seconds.
struct Timeline {
  std::vector<Phase> phases;
  std::vector<PhaseEnds> ends;             ///< of each rank
  std::optional<double> whole_bound = {};  ///< where phases overlap: of all together

  /// From the end of the phase before, on whichever rank that was latest, to the end of this one: they add up to
  /// total().
  double phase_seconds(std::size_t phase) const;
  double total() const;
  double predicted() const;
  double bound() const;
  /// What one rank spent in a phase, waiting included.
  double rank_seconds(std::size_t rank, std::size_t phase) const;
};

/// Of a program whose tasks are phases. Ranks that were left out end each at once.
Timeline timeline_of(const RunReport& run);

/// The items of each rank of the session in the first slices of a program.
Blocks shares_of(const RunReport& run);

}  // namespace tombolo
