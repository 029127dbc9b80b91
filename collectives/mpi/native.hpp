#pragma once

#include <vector>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/mpi/type_layout.hpp>

namespace tombolo {

/// MPI's own collectives. Where all ranks can see that blocks are equal and MPI has a regular form, it is called: MPI
/// libraries carry it out better than the v-form. Where the MPI library has no 64-bit counts (before MPI 4), more than
/// 2^31 - 1 elements of a block are an Error; a larger datatype helps.
class NativeCollectives final : public Collectives {
 public:
  /// On a duplicate of the communicator. Collective.
  explicit NativeCollectives(MPI_Comm communicator) : Collectives(communicator) {}
  /// On the communicator itself.
  explicit NativeCollectives(Shared shared) : Collectives(shared) {}

  std::string_view name() const override { return "native"; }
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

 private:
  // MPI 4 has forms of all calls with 64-bit counts; before, counts are int.
#if MPI_VERSION >= 4
  using Count = MPI_Count;
  using Displacement = MPI_Aint;
#else
  using Count = int;
  using Displacement = int;
#endif
  /// Counts and displacements of consecutive blocks, as MPI's v-operations take them.
  struct Layout {
    void lay_out(const Blocks& blocks);
    std::vector<Count> counts;
    std::vector<Displacement> displacements;
  };
  template <class To>
  static To checked(std::int64_t count);
  template <class Call>
  void in_parts(std::int64_t count, MPI_Datatype type, Call call);
  bool equal(const Blocks& blocks) const;

  TypeLayouts types_;
  Layout out_;  // kept from call to call for their memory
  Layout in_;
};

}  // namespace tombolo
