#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/request/blocks.hpp>
#include <tombolo/framework/program/report/run_report.hpp>

#include "run/forecast.hpp"
#include "run/stopwatch.hpp"

namespace tombolo {

struct Phase {
  std::string name;  ///< "bcast B"
  PhaseForecast forecast;
  double seconds = 0;  ///< that it added: from the latest end, on any rank, of what came before to its own
};

/// The phases of a run: what was expected of each, what it added to the whole, and what each rank spent in it. In
/// seconds.
struct Timeline {
  std::vector<Phase> phases;
  std::vector<std::vector<double>> spent;  ///< by each rank in each phase, waiting included
  std::optional<double> whole_bound = {};  ///< where phases overlap: of all together

  double total() const;
  double predicted() const;
  double bound() const;
};

/// Of a program whose tasks are phases. Ranks that were left out spend nothing.
Timeline timeline_of(const RunReport& run);

/// Of phases one after the other, from when each rank ended them.
Timeline timeline_of(std::vector<Phase> phases, const std::vector<PhaseEnds>& ends);

/// The items of each rank of the session in the first slices of a program.
Blocks shares_of(const RunReport& run);

}  // namespace tombolo
