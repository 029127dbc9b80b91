#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/calibrate/trials.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>

namespace tombolo {

/// Returns the makespan of `call` in ps: from the common start of all ranks to the return of the last rank; the same on
/// all ranks. Repeats if a rank learned of the start too late. Collective over `communicator`, that of `start`.
Picoseconds makespan_of(MPI_Comm communicator, CommonStart& start, const std::function<void()>& call);

/// Measured times of one of several calls timed in turns.
struct Timing {
  Picoseconds median = 0;
  Picoseconds low = 0;  ///< of the 95 % confidence interval
  Picoseconds high = 0;
  std::vector<Picoseconds> times;  ///< all times that count, in order of measurement
};

/// Times the calls in turns, so that disturbances of the machine affect all alike: odd rounds in the given order, even
/// rounds in reverse. Ends when the interval of every median is as narrow as `repeat` asks for, or after its largest
/// number of repetitions. On a real machine the first time of each call does not count. The same on all ranks.
/// Collective.
std::vector<Timing> alternate(MPI_Comm communicator, const std::vector<std::function<void()>>& calls,
                              const Repeat& repeat);

/// Measures the times of plans, on its own buffers of arbitrary contents; in a simulation, phantom memory. The ranks of
/// the communicator are those of the plans; other ranks do not take part.
class PlanTimer {
 public:
  /// Collective.
  explicit PlanTimer(MPI_Comm communicator);
  ~PlanTimer();
  PlanTimer(const PlanTimer&) = delete;
  PlanTimer& operator=(const PlanTimer&) = delete;

  /// Returns the makespan of a plan in ps, from the common start of all ranks to the completion of the last: the median
  /// and its interval, over as many repetitions as `repeat` asks for. The same on all ranks. On a real machine the
  /// first time does not count. After `longest` in all, one time suffices. All ranks pass the same plan, with all
  /// counts known. Collective. Throws Error, on all ranks, for a plan for another number of ranks or one that learns
  /// counts, and for a reduction of elements of another size than 1, 2, 4 or 8 bytes.
  Measured makespan(const Plan& plan, const Repeat& repeat = {}, Picoseconds longest = never);

  /// Returns every single time in ps, in order of measurement, for rare outliers that a median hides. At least one and
  /// at most `most`; none begins after a total of `budget`. Otherwise as makespan().
  std::vector<Picoseconds> makespans(const Plan& plan, int most, Picoseconds budget = never);

 private:
  // Repeats until more(time) is false.
  void time(const Plan& plan, const std::function<bool(Picoseconds)>& more);

  MPI_Comm given_;
  CommonStart start_;
  MPI_Comm own_ = MPI_COMM_NULL;  // for the messages of plans
  Rank rank_ = 0;
  int ranks_ = 1;
  std::unique_ptr<MessageBuffer> buffer_;  // input and output, overlapping in a simulation
  std::unique_ptr<Executor> executor_;
};

constexpr Picoseconds not_timed = -1;

/// Times the trials, all on the same ranks, and sets the measured times in their samples, the same on all ranks of
/// `all`. Other ranks sleep meanwhile. With limited `time_given`, in seconds, trials are timed in a pseudo-random
/// order, and none begins afterwards: the others are measured as not_timed. Calls `progress` before each trial, on the
/// first of its ranks. Returns the cost. Collective over `all`, whose ranks are those of the platform.
ExperimentCost time_trials(MPI_Comm all, std::span<Trial> trials, const Repeat& repeat,
                           double time_given = std::numeric_limits<double>::infinity(),
                           const std::function<void(const Trial&)>& progress = {});

}  // namespace tombolo
