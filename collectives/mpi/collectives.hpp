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
/// other. At the root, MPI_IN_PLACE may stand for the small buffer of scatterv and gatherv, and for the input of
/// reduce. All ranks give the same type and the same counts, but for those that they cannot know: a plan is made from
/// them. All throw Error when MPI reports one; other ranks may then be waiting, and only ending the run helps.
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
  virtual void barrier() = 0;
  virtual void bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) = 0;
  virtual void reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op, Rank root) = 0;
  /// Block r goes to rank r. `blocks` holds all the counts on every rank (Knowledge::everywhere), or all at the root
  /// and its own on any other rank (as_in_mpi); all ranks say the same.
  virtual void scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                        Knowledge knowledge = Knowledge::everywhere) = 0;
  virtual void gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                       Knowledge knowledge = Knowledge::everywhere) = 0;
  /// Counts as in MPI: this rank's own.
  virtual void alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                         MPI_Datatype type) = 0;
  /// The same exchange is given on every rank and holds all counts, so that a plan can be chosen by prediction.
  virtual void alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) = 0;

 protected:
  MPI_Comm communicator() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  int ranks_ = 1;
};

}  // namespace tombolo
