#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

// Phases, one after the other, of a run that is no Program: what is expected of each, the time that it takes, and the
// RunReport of both.

/// The forecast of a phase before it runs.
struct PhaseForecast {
  std::string how;  ///< the plan, what the native collective is taken to do, or what computes
  double predicted_s = 0;
  double bound_s = 0;  ///< no plan on these links, no shares of these speeds can be faster
};

struct Phase {
  std::string name;  ///< "bcast B"
  PhaseForecast forecast;
};

/// Returns the forecast of a phase that is one collective, by its request; on rank 0 only, as prediction takes time and
/// one report is enough. A plan is made here, so that planning is over before a clock starts. Native collectives, whose
/// algorithm cannot be asked for, are taken to use `assumed`. An alltoallv whose exchange not all ranks know is to be
/// given as knowing(Knowledge::as_in_mpi), as it will run.
PhaseForecast forecast_collective(Collectives& collectives, const Planner& planner, const Request& request,
                                  const Algorithm& assumed);

/// Returns the forecast of a phase in which every rank works by itself: rank r does work[r] units at speeds[r] > 0
/// units per second (flop and flop/s, bytes and bytes/s). The bound shares the work out exactly in proportion to speed.
PhaseForecast forecast_work(std::string how, std::span<const double> work, std::span<const std::int64_t> speeds);

/// When a rank ended each phase of a run, in seconds since the common start.
using PhaseEnds = std::vector<double>;

/// Takes the time of this rank's phases. Between two phases it reads the clock, and no more.
class Stopwatch {
 public:
  /// Starts when all ranks have come here. Collective.
  Stopwatch(const Session& session, std::size_t phases) {
    ends_.reserve(phases);
    machine::start_together(session.communicator());
    start_ = MPI_Wtime();
  }

  void end_phase() { ends_.push_back(MPI_Wtime() - start_); }

  const PhaseEnds& ends() const { return ends_; }

 private:
  PhaseEnds ends_;
  double start_ = 0;
};

/// The report of a run from when this rank ended each phase; all ranks give as many. A phase adds the time from the
/// latest end, on any rank, of what came before to its own. The same on all ranks but for the forecasts. Collective.
RunReport run_report_of(const Session& session, const std::vector<Phase>& phases, const PhaseEnds& mine);

}  // namespace tombolo
