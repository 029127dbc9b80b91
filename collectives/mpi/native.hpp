#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// MPI's own collectives. If all ranks can see that blocks are equal and MPI has a regular form, calls that: MPI
/// libraries implement it better than the v-form. If the MPI library has no 64-bit counts (before MPI 4), blocks of
/// more than 2^31 - 1 elements throw Error; use a larger datatype.
class NativeCollectives final : public Collectives {
 public:
  /// Uses a duplicate of the communicator. Collective.
  explicit NativeCollectives(MPI_Comm communicator) : Collectives(communicator) {}
  /// Uses the communicator without a duplicate.
  explicit NativeCollectives(Shared shared) : Collectives(shared) {}

  std::string_view name() const override { return "native"; }

 private:
  /// A call in this rank's view.
  struct Call {
    const Request& request;
    const void* input;
    void* output;
    MPI_Datatype type;
    MPI_Op op;
    bool in_place;

    const void* input_or_in_place() const { return in_place ? MPI_IN_PLACE : input; }
  };
  void carry_out(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op) override;
  /// MPI's call of one operation: a specialisation for each line of operations.def.
  template <Operation operation>
  void native(const Call& call);

  // MPI 4 has all calls with 64-bit counts; before, counts are int.
#if MPI_VERSION >= 4
  using Count = MPI_Count;
  using Displacement = MPI_Aint;
#else
  using Count = int;
  using Displacement = int;
#endif
  /// Counts and displacements of contiguous blocks for MPI's v-operations.
  struct Layout {
    void lay_out(const Blocks& blocks);
    std::vector<Count> counts;
    std::vector<Displacement> displacements;
  };
  template <class To>
  static To checked(std::int64_t count);
  template <class Part>
  void in_parts(const Call& call, Part part);
  /// Whether MPI_Reduce of more than 2 KB takes unset memory for the vectors of some ranks: in MPICH before 4.1.3,
  /// where rank 0 is alone on its host and another host has several ranks (github.com/pmodels/mpich/issues/6893).
  /// MPI_Ireduce does not. Collective when first asked.
  bool reduce_loses_ranks();

  std::optional<bool> reduce_loses_ranks_;
  Layout out_;  // kept from call to call for their memory
  Layout in_;
};

}  // namespace tombolo
