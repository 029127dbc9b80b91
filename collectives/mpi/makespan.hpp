#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/common_start.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/plan.hpp>
#include <tombolo/models/laboratory.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>

namespace tombolo {

/// Carries out plans to take their time, on buffers of its own whose contents do not matter; in a simulation, phantoms.
/// The ranks of the communicator are those of the plans; other ranks have no part in it.
class PlanTimer {
 public:
  /// Collective.
  explicit PlanTimer(MPI_Comm communicator);
  ~PlanTimer();
  PlanTimer(const PlanTimer&) = delete;
  PlanTimer& operator=(const PlanTimer&) = delete;

  /// From the common start of all ranks until the last of them is done; in ps, the median, with its interval, of as
  /// many times as `repeat` asks for. The same on all ranks. On a real machine the first time does not count. The plan
  /// is the same on all ranks, and they know all its counts. Collective. Throws Error, on all ranks, for a plan for
  /// another number of ranks, for one that has to learn counts, and for a reduction of elements that are not as large
  /// as a number.
  Measured makespan(const Plan& plan, const Repeat& repeat = {});

  /// Every single time, where rare ones matter that a median hides: in ps, in the order in which they were taken. At
  /// least one and at most `most`, none begun after they have taken `budget` in all. The rest is as for makespan().
  std::vector<Picoseconds> makespans(const Plan& plan, int most, Picoseconds budget = never);

 private:
  // Until there need not be `more`.
  void time(const Plan& plan, const std::function<bool(Picoseconds)>& more);

  MPI_Comm given_;
  CommonStart start_;
  MPI_Comm own_ = MPI_COMM_NULL;  // for the messages of plans
  Rank rank_ = 0;
  int ranks_ = 1;
  std::unique_ptr<MessageBuffer> buffer_;  // input and output, in a simulation one over the other
  std::unique_ptr<Executor> executor_;
};

}  // namespace tombolo
