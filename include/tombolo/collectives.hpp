#pragma once

// The collective operations, by the MPI library or by plans; agreement among ranks.

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <mpi.h>

#include <tombolo/counts.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

enum class Operation;
struct Request;
struct TypeLayout;
class TypeLayouts;

/// The collective operations on one communicator: MPI's own or planned, so that a program or
/// benchmark can run with both. Arguments as in MPI, with 64-bit counts and contiguous blocks. MPI_IN_PLACE is allowed
/// as in MPI: at the root for the small buffer of scatterv and gatherv and for the input of reduce, and on all ranks
/// for the input of allreduce, scan, exscan, allgatherv and reduce_scatter. All ranks pass the same type and the same
/// counts, except counts that a rank cannot know: plans are made from the counts. All methods throw Error on an MPI
/// error; other ranks may then be waiting, and the only remedy is to end the run.
class Collectives {
 public:
  /// Uses a duplicate of the communicator, so that its messages never match the user's. Collective.
  explicit Collectives(MPI_Comm communicator);
  virtual ~Collectives();
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;

  Rank rank() const { return rank_; }
  int ranks() const { return ranks_; }

  virtual std::string_view name() const = 0;

  /// Carries out a request in this rank's view. Buffers that the operation does not have may be null; with
  /// request.in_place, the buffer that MPI_IN_PLACE replaces is ignored. Throws Error, before any message, unless the
  /// request is for the ranks of the communicator and has one block per rank.
  void run(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op = MPI_OP_NULL) {
    check(request);
    carry_out(request, input, output, type, op);
  }

  /// No rank returns before all ranks have called.
  void barrier();
  /// Every rank gets the buffer of the root.
  void bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root);
  /// The root gets the reduction of all inputs.
  void reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op, Rank root);
  /// Every rank gets the reduction of all inputs.
  void allreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op);
  /// Rank r gets the reduction of the inputs of ranks 0 to r.
  void scan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op);
  /// Rank r gets the reduction of the inputs of ranks 0 to r - 1. The output of rank 0 is unchanged, or undefined in
  /// place.
  void exscan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op);
  // The following methods take one block per rank; otherwise throw Error before any message.

  /// Block r goes to rank r. With Knowledge::everywhere `blocks` holds all counts on every rank; with as_in_mpi, all
  /// counts at the root and a rank's own elsewhere. All ranks pass the same `knowledge`.
  void scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                Knowledge knowledge = Knowledge::everywhere);
  /// The root gets block r from rank r; arguments as for scatterv.
  void gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
               Knowledge knowledge = Knowledge::everywhere);
  /// Every rank gets all blocks; `blocks` holds all counts on every rank, as in MPI.
  void allgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type);
  /// Reduces vectors of all blocks; rank r gets block r, in place at the beginning of the vector.
  void reduce_scatter(const void* input, void* output, const Blocks& blocks, MPI_Datatype type, MPI_Op op);
  /// Counts as in MPI: this rank's own.
  void alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives, MPI_Datatype type);
  /// Every rank passes the same `exchange` with all counts, so that predictions can choose the plan.
  void alltoallv(const void* input, const AlltoallCounts& exchange, void* output, MPI_Datatype type);

 protected:
  /// A communicator to use without a duplicate. Must return errors and outlive the object.
  struct Shared {
    MPI_Comm communicator;
  };
  /// Uses the communicator without a duplicate.
  explicit Collectives(Shared shared);
  MPI_Comm communicator() const { return communicator_; }
  /// Layout of the datatype, cached if predefined; valid until the next call.
  const TypeLayout& layout(MPI_Datatype type) {
    return last_layout_ != nullptr && type == last_type_ ? *last_layout_ : look_up(type);
  }

  /// Throws Error unless the request is for the ranks of the communicator. Checks before any message, as other ranks
  /// may pass the right numbers.
  void check(const Request& request) const;
  /// Throws Error unless there is one block per rank.
  void check_blocks(Operation operation, const Blocks& blocks) const;
  /// Throws Error unless the known counts, those of this rank or all of them, are one per rank.
  void check_blocks(Operation operation, const AlltoallCounts& exchange) const;
  /// Throws Error for MPI_IN_PLACE, which is no valid buffer of a bcast; MPI libraries would write to its address.
  static void check_bcast_buffer(const void* buffer);

 private:
  /// run() of a checked request.
  virtual void carry_out(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op) = 0;
  void look_around();
  const TypeLayout& look_up(MPI_Datatype type);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  bool own_ = true;
  Rank rank_ = 0;
  int ranks_ = 1;
  std::unique_ptr<TypeLayouts> types_;
  MPI_Datatype last_type_ = MPI_DATATYPE_NULL;
  const TypeLayout* last_layout_ = nullptr;  // of last_type_ if that is predefined
};

/// Returns the MPI datatype of an element; MPI_DATATYPE_NULL for other types than numbers.
template <class T>
MPI_Datatype mpi_type_of() {
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, std::complex<float>>) return MPI_C_FLOAT_COMPLEX;
  if constexpr (std::is_same_v<T, std::complex<double>>) return MPI_C_DOUBLE_COMPLEX;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 1) return std::is_signed_v<T> ? MPI_INT8_T : MPI_UINT8_T;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 2) return std::is_signed_v<T> ? MPI_INT16_T : MPI_UINT16_T;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? MPI_INT32_T : MPI_UINT32_T;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return std::is_signed_v<T> ? MPI_INT64_T : MPI_UINT64_T;
  return MPI_DATATYPE_NULL;
}

/// True if operands of the reduction may change places.
bool commutes(MPI_Op op);

/// Returns the name and version of the MPI library, on one line.
std::string mpi_library();

/// A failure known to all ranks: thrown on every rank with the same message.
class AgreedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The lowest rank on which `holds` is true; empty if there is none. The same on all ranks. Collective.
std::optional<int> lowest_rank(MPI_Comm communicator, bool holds);

/// Runs `work`, which may fail on a subset of the ranks (reading a file, allocating memory), and shares the outcome:
/// returns on all ranks, or throws AgreedError on all ranks with the message of the lowest rank that failed. No rank is
/// left waiting in a collective for a failed one. `work` must not communicate with other ranks. Collective.
void agree(MPI_Comm communicator, const std::function<void()>& work);

/// Runs `work` on one rank while all others sleep: ranks that wait in MPI poll and would take the cores of `work`.
/// `work` must not throw, since an exception would leave the other ranks asleep. Collective.
void alone_on(MPI_Comm communicator, int rank, const std::function<void()>& work);

}  // namespace tombolo
