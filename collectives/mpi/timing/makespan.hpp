#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>

namespace tombolo {

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
  /// first time does not count. All ranks pass the same plan, with all counts known. Collective. Throws Error, on all
  /// ranks, for a plan for another number of ranks or one that learns counts, and for a reduction of elements of
  /// another size than 1, 2, 4 or 8 bytes.
  Measured makespan(const Plan& plan, const Repeat& repeat = {});

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

}  // namespace tombolo
