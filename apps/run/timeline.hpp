#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "run/forecast.hpp"
#include "run/stopwatch.hpp"

namespace tombolo {

struct Phase {
  std::string name;  ///< "bcast B"
  Forecast forecast;
};

/// The phases of a run, one after the other: what was expected of each, and when each rank ended it. In seconds.
struct Timeline {
  std::vector<Phase> phases;
  std::vector<PhaseEnds> ends;  ///< of each rank

  /// From the end of the phase before, on whichever rank that was latest, to the end of this one: they add up to
  /// total().
  double phase_seconds(std::size_t phase) const;
  double total() const;
  double predicted() const;
  double bound() const;
  /// What one rank spent in a phase, waiting included.
  double rank_seconds(std::size_t rank, std::size_t phase) const;
};

}  // namespace tombolo
