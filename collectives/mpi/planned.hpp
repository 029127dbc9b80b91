#pragma once

#include <memory>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/mpi/kept_plans.hpp>
#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/pending.hpp>
#include <tombolo/collectives/planner.hpp>

namespace tombolo {

/// Collectives carried out by plans. A plan is chosen by prediction the first time a request is made and kept. Where
/// ranks know different counts (Knowledge::as_in_mpi) they cannot compare predictions, and the first algorithm of the
/// list that needs no learning is taken.
///
/// Of a request it may be decided that MPI's own collective does better: then blocking calls step aside (decide,
/// settle). Non-blocking and persistent calls are carried out by plans always; many may be under way at a time,
/// complete in any order, beside blocking ones. All ranks begin the same calls in the same order.
class PlannedCollectives final : public Collectives {
 public:
  /// The planner, one for as many ranks as there are, must be the same on all, bit for bit: every rank chooses by
  /// itself. Scratch is taken from the phantom memory of `scratch` where that is large enough.
  PlannedCollectives(MPI_Comm communicator, std::shared_ptr<Planner> planner, const Scratch& scratch = Scratch());
  /// Completes what is under way.
  ~PlannedCollectives() override;
  PlannedCollectives(const PlannedCollectives&) = delete;
  PlannedCollectives& operator=(const PlannedCollectives&) = delete;

  std::string_view name() const override { return "tombolo"; }
  void barrier() override;
  void bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) override;
  void reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op, Rank root) override;
  void allreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) override;
  void scan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) override;
  void exscan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) override;
  void scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                Knowledge knowledge) override;
  void gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
               Knowledge knowledge) override;
  void allgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type) override;
  void reduce_scatter(const void* input, void* output, const Blocks& blocks, MPI_Datatype type, MPI_Op op) override;
  void alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                 MPI_Datatype type) override;
  void alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) override;

  /// The usual ones without waiting, arguments as above; any other is started by start().
  Pending ibarrier();
  Pending ibcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root);
  Pending ireduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op, Rank root);
  Pending iallreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op);
  Pending iallgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type);

  /// Carries out a request as this rank knows it. `input` or `output` may be null where the operation has none, or
  /// where the request is in place.
  void run(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);
  Pending start(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);
  Persistent persistent(const Request& request, const void* input, void* output, MPI_Datatype type,
                        MPI_Op op = MPI_OP_NULL);

  /// The same with a plan of one's own, the same on all ranks.
  void run(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);
  Pending start(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);
  Persistent persistent(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);

  /// The plan that a request is carried out by.
  Plan plan_for(const Request& request) { return plan(request)->plan; }
  const std::shared_ptr<Planner>& planner() const { return kept_.planner(); }

  /// Who carries out blocking calls of a request; the plan, unless it is decided otherwise. All ranks decide alike.
  /// What not all ranks know, who works in place and counts as in MPI, makes no difference.
  void decide(const Request& request, Carrier carrier) { kept_.decide(request, carrier); }
  Carrier carrier(const Request& request) const { return kept_.carrier(request); }
  /// Lets both carry it out in turns and decides for the one whose median makespan is shorter, the plan where they are
  /// equal. The request is the same on all ranks, which know all its counts; `op` suits it. Buffers are made here.
  /// Collective.
  Carrier settle(const Request& request, MPI_Datatype type, MPI_Op op = MPI_OP_NULL, int repetitions = 5);

 private:
  const std::shared_ptr<const PreparedPlan>& plan(const Request& request) {
    return kept_.plan(request, kept_.find(request));
  }
  Memory memory(const void* input, void* output, MPI_Datatype type, MPI_Op op) {
    return {input, output, types_.of(type), op};
  }

  KeptPlans kept_;
  TypeLayouts types_;
  NativeCollectives native_;
  std::shared_ptr<Executor> executor_;  // calls under way share it
};

}  // namespace tombolo
