#pragma once

#include <functional>
#include <unordered_map>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/plan.hpp>
#include <tombolo/models/hockney.hpp>

namespace tombolo {

/// Collectives carried out by plans. A plan is chosen by prediction the first time a request is made and kept. Where
/// ranks know different counts (Knowledge::as_in_mpi) they cannot compare predictions, and the first algorithm of the
/// list that needs no learning is taken.
class PlannedCollectives final : public Collectives {
 public:
  /// The model must be the same on all ranks, bit for bit: every rank chooses by itself.
  PlannedCollectives(MPI_Comm communicator, Hockney model, Scratch scratch = Scratch());

  std::string_view name() const override { return "tombolo"; }
  void barrier() override;
  void bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) override;
  void reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op, Rank root) override;
  void scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                Knowledge knowledge) override;
  void gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
               Knowledge knowledge) override;
  void alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                 MPI_Datatype type) override;
  void alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) override;

  /// The plan that a request is carried out by.
  Plan plan_for(const Request& request) { return prepare(request).plan; }
  /// Carries out a plan of one's own on this rank. `input` or `output` may be null where the operation has none.
  void run(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL);

  const Hockney& model() const { return model_; }

 private:
  struct Prepared {
    Plan plan;
    Schedule schedule;  // this rank's; empty where counts must be learned first
  };
  struct Hash {
    Rank rank = 0;  // whose counts of an exchange are looked at: it knows them
    std::size_t operator()(const Request& request) const;
  };
  const Prepared& prepare(const Request& request);
  void run(const Prepared& prepared, const void* input, void* output, MPI_Datatype type, MPI_Op op);
  Request learn(const Plan& plan);

  Hockney model_;
  Scratch scratch_;
  std::unordered_map<Request, Prepared, Hash> kept_;
};

}  // namespace tombolo
