#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <mpi.h>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/request.hpp>

namespace tombolo {

/// The collective operations on one communicator, either MPI's own (native.hpp) or planned (planned.hpp), so that a
/// program or a benchmark can be run with both. Arguments are MPI's, with 64-bit counts; blocks lie one after the
/// other. MPI_IN_PLACE may stand where it may in MPI: at the root for the small buffer of scatterv and gatherv and for
/// the input of reduce, and on all ranks for the input of allreduce, scan, exscan, allgatherv and reduce_scatter. All
/// ranks give the same type and the same counts, but for those that they cannot know: a plan is made from them. All
/// throw Error when MPI reports one; other ranks may then be waiting, and only ending the run helps.
class Collectives {
 public:
  /// Works on a duplicate of the communicator, so that its messages never mix with the user's. Collective.
  explicit Collectives(MPI_Comm communicator);
  virtual ~Collectives();
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;

  Rank rank() const { return rank_; }
  int ranks() const { return ranks_; }

  virtual std::string_view name() const = 0;
  /// Nobody passes before all have come.
  virtual void barrier() = 0;
  /// All get what the root has.
  virtual void bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) = 0;
  /// The root gets what all inputs make together.
  virtual void reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op, Rank root) = 0;
  /// All get it.
  virtual void allreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) = 0;
  /// Every rank gets what the ranks up to itself make together.
  virtual void scan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) = 0;
  /// The ranks before itself; the output of rank 0 is left as it is, or may be anything in place.
  virtual void exscan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) = 0;
  /// Block r goes to rank r. `blocks` holds all the counts on every rank (Knowledge::everywhere), or all at the root
  /// and its own on any other rank (as_in_mpi); all ranks say the same.
  virtual void scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                        Knowledge knowledge = Knowledge::everywhere) = 0;
  /// The root gets block r from rank r; the rest as for scatterv.
  virtual void gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                       Knowledge knowledge = Knowledge::everywhere) = 0;
  /// Every rank gets all blocks; `blocks` holds all the counts on every rank, as in MPI.
  virtual void allgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type) = 0;
  /// Vectors of all the blocks are combined, and rank r gets block r; in place, at the beginning of the vector.
  virtual void reduce_scatter(const void* input, void* output, const Blocks& blocks, MPI_Datatype type, MPI_Op op) = 0;
  /// Counts as in MPI: this rank's own.
  virtual void alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                         MPI_Datatype type) = 0;
  /// The same exchange is given on every rank and holds all counts, so that a plan can be chosen by prediction.
  virtual void alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) = 0;

 protected:
  /// On the communicator itself, which returns its errors and outlives this.
  struct Shared {
    MPI_Comm communicator;
  };
  /// Works on that, without a duplicate.
  explicit Collectives(Shared shared);
  MPI_Comm communicator() const { return communicator_; }

 private:
  void look_around();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  bool own_ = true;
  Rank rank_ = 0;
  int ranks_ = 1;
};

}  // namespace tombolo
