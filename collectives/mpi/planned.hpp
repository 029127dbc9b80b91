#pragma once

#include <memory>
#include <span>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/pending.hpp>
#include <tombolo/collectives/mpi/timing/call_times.hpp>

namespace tombolo {

/// Collectives carried out as the planner decides: blocking calls by a plan or by MPI's own collective, non-blocking
/// and persistent ones always by a plan. The first call of a request takes a decision; later calls use the planner's
/// cache.
///
/// Many non-blocking calls may be pending at a time, complete in any order, and overlap with blocking ones. All ranks
/// begin the same calls in the same order. Threads that call at the same time need an object and a planner each.
class PlannedCollectives final : public Collectives {
 public:
  /// The planner must be for as many ranks as the communicator has, and bit for bit the same on all: every rank chooses
  /// by itself. Uses `phantom` (machine::phantom) for scratch if large enough. Notes in `times`, if given, when
  /// blocking calls were entered and left.
  PlannedCollectives(MPI_Comm communicator, std::shared_ptr<Planner> planner, std::span<std::byte> phantom = {},
                     std::shared_ptr<CallTimes> times = nullptr);
  /// Completes all pending calls.
  ~PlannedCollectives() override;
  PlannedCollectives(const PlannedCollectives&) = delete;
  PlannedCollectives& operator=(const PlannedCollectives&) = delete;

  std::string_view name() const override { return "tombolo"; }

  /// Non-blocking and persistent forms of run().
  Pending start(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);
  Persistent persistent(const Request& request, const void* input, void* output, MPI_Datatype type,
                        MPI_Op op = MPI_OP_NULL);

  using Collectives::run;
  /// run(), start() and persistent() with a given plan, the same on all ranks.
  void run(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);
  Pending start(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);
  Persistent persistent(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);

  /// The plan of a request.
  Plan plan_for(const Request& request) { return plan(request)->plan; }
  const std::shared_ptr<Planner>& planner() const { return planner_; }

 private:
  void carry_out(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op) override;
  std::shared_ptr<const PreparedPlan> plan(const Request& request) { return planner_->prepared(request, rank()); }
  Memory memory(const void* input, void* output, MPI_Datatype type, MPI_Op op) {
    return {input, output, layout(type), op};
  }

  std::shared_ptr<Planner> planner_;
  std::shared_ptr<CallTimes> times_;
  NativeCollectives native_;
  std::shared_ptr<Executor> executor_;  // shared by pending calls
};

}  // namespace tombolo
