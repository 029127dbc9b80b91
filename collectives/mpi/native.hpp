#pragma once

#include <tombolo/collectives/mpi/collectives.hpp>

namespace tombolo {

/// MPI's own collectives. Where the MPI library has no 64-bit counts (before MPI 4), more than 2^31 - 1 elements are an
/// Error; a larger datatype helps.
class NativeCollectives final : public Collectives {
 public:
  using Collectives::Collectives;

  std::string_view name() const override { return "native"; }
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
};

}  // namespace tombolo
