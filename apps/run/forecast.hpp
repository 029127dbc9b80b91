#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

/// What is expected of a phase before it runs.
struct PhaseForecast {
  std::string how;  ///< the plan, what the native collective is taken to do, or what computes
  double predicted_s = 0;
  double bound_s = 0;  ///< no plan on these links, no shares of these speeds can be faster
};

/// Of a phase that is one collective, asked for by this request; on rank 0, for prediction takes time and one report is
/// enough; nothing on the others. A plan is made here, so that planning is over before
/// a clock starts. Native collectives, whose algorithm cannot be asked for, are taken to use `assumed`. An alltoallv
/// whose exchange not all ranks know is to be given as knowing(Knowledge::as_in_mpi), as it will run.
PhaseForecast forecast_collective(Collectives& collectives, const Planner& planner, const Request& request,
                                  const Algorithm& assumed);

/// Of a phase in which every rank works by itself: rank r does work[r] units at speeds[r] > 0 units per second (flop
/// and flop/s, bytes and bytes/s). The bound shares the work out exactly in proportion to speed.
PhaseForecast forecast_work(std::string how, std::span<const double> work, std::span<const std::int64_t> speeds);

}  // namespace tombolo
