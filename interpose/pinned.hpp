#pragma once

// Reductions whose results do not depend on how data moves (TOMBOLO_REDUCTIONS=pinned): operands come together by calls
// that move data only, which are planned or pass through as any other, and each element is combined by one rank in the
// order of ranks: ((x0 op x1) op x2) op ... So no plan, no platform and no MPI library decides about bits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/interpose/communicator.hpp>
#include <tombolo/interpose/library.hpp>
#include <tombolo/interpose/native.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo::interpose {

/// Whether reductions on a communicator are pinned. The same on all its ranks.
inline bool pins(MPI_Comm comm) {
  const Library& library = Library::get();
  if (!library.settings().pinned || !library.active() || Inside::now() || comm == MPI_COMM_NULL) return false;
  const Communicator* const communicator = Communicator::of(comm);
  return communicator != nullptr && communicator->is_one_group();  // else the native call says what is wrong with it
}

/// Room for elements of a type, with gaps as in the user's buffers.
class Elements {
 public:
  Elements(std::int64_t count, MPI_Datatype type) : type_(type) {
    MPI_Aint lower = 0;
    check_mpi(MPI_Type_get_extent(type, &lower, &extent_), "MPI_Type_get_extent");
    const Span span = span_of(std::max<std::int64_t>(count, 1), type);
    memory_.resize(static_cast<std::size_t>(span.bytes));
    first_ = memory_.data() - span.first;
  }
  void* at(std::int64_t element) const { return first_ + element * extent_; }
  /// Copies elements of the same type.
  void copy_to(void* to, std::int64_t from, std::int64_t count) const {
    const PlainBytes source({Part{at(from), count, type_}});
    const PlainBytes target({Part{to, count, type_}});
    source.pack();
    std::memcpy(target.data(), source.data(), static_cast<std::size_t>(Part{to, count, type_}.bytes()));
    target.unpack();
  }

 private:
  MPI_Datatype type_;
  MPI_Aint extent_ = 0;
  std::vector<std::byte> memory_{};
  std::byte* first_ = nullptr;
};

/// A pinned reduction of one rank. Its functions return MPI error codes.
template <class Count>
class Pinned {
 public:
  Pinned(MPI_Comm comm, MPI_Datatype type, MPI_Op op) : comm_(comm), type_(type), op_(op) {
    MPI_Aint lower = 0;
    check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm, &ranks_), "MPI_Comm_size");
    check_mpi(MPI_Type_get_extent(type, &lower, &extent_), "MPI_Type_get_extent");
  }

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  int allreduce(const void* input, void* output, Count count) const {
    const void* const source = input == MPI_IN_PLACE ? output : input;
    const Count each = share(count);
    const Elements parts(blocks(each), type_);
    int code = combine_shares(source, each, parts, 0);
    if (code == MPI_SUCCESS && each > 0) code = gather_all(parts.at(before_last(each)), each, output);
    return code != MPI_SUCCESS ? code : with_rest(source, output, count, each, true, last());
  }

  int reduce(const void* input, void* output, Count count, int root) const {
    const void* const source = input == MPI_IN_PLACE ? output : input;
    const Count each = share(count);
    const Elements parts(blocks(each), type_);
    int code = combine_shares(source, each, parts, 0);
    if (code == MPI_SUCCESS && each > 0) code = gather(parts.at(before_last(each)), each, output, root);
    if (code != MPI_SUCCESS) return code;
    const Count done = each * ranks_;
    const Count rest = count - done;
    if (rest == 0) return MPI_SUCCESS;
    const Elements operands(rank_ == root ? blocks(rest) : 0, type_);
    code = gather(at(source, done), rest, operands.at(0), root);
    if (code == MPI_SUCCESS && rank_ == root) code = accumulate(operands, rest, 0);
    if (code == MPI_SUCCESS && rank_ == root) operands.copy_to(at(output, done), before_last(rest), rest);
    return code;
  }

  /// The operands of ranks up to this one, or of those before it.
  int scan(const void* input, void* output, Count count, bool inclusive) const {
    const void* const source = input == MPI_IN_PLACE ? output : input;
    const Count each = share(count);
    // Sent back from one block further ahead, each rank gets what belongs to the rank before it; the first gets zeros.
    const Count ahead = inclusive ? 0 : each;
    const Elements parts(blocks(each) + ahead, type_);
    const bool receives = inclusive || rank_ > 0;
    int code = combine_shares(source, each, parts, ahead);
    if (code == MPI_SUCCESS && each > 0) {
      const Elements nowhere(receives ? 0 : blocks(each), type_);
      code = exchange(parts.at(0), each, receives ? output : nowhere.at(0));
    }
    return code != MPI_SUCCESS ? code : with_rest(source, output, count, each, receives, inclusive ? rank_ : rank_ - 1);
  }

  int reduce_scatter(const void* input, void* output, const std::vector<Count>& counts) const {
    const void* const source = input == MPI_IN_PLACE ? output : input;
    const Count mine = counts[static_cast<std::size_t>(rank_)];
    const Elements parts(blocks(mine), type_);
    std::int64_t start = 0;
    // Calls with displacements hold no more than their integers do; and equal blocks need none.
    const bool equal = std::ranges::all_of(counts, [&](Count count) { return count == counts.front(); });
    int code = equal ? exchange(source, mine, parts.at(0)) : MPI_SUCCESS;
    for (int r = 0; r < ranks_ && !equal && code == MPI_SUCCESS; ++r) {
      const Count count = counts[static_cast<std::size_t>(r)];
      code = gather(at(source, start), count, parts.at(0), r);
      start += count;
    }
    if (code == MPI_SUCCESS) code = accumulate(parts, mine, 0);
    if (code == MPI_SUCCESS && mine > 0) parts.copy_to(output, before_last(mine), mine);
    return code;
  }

 private:
  int last() const { return ranks_ - 1; }
  std::int64_t blocks(Count each) const { return static_cast<std::int64_t>(each) * ranks_; }
  std::int64_t before_last(Count each) const { return static_cast<std::int64_t>(each) * last(); }
  void* at(const void* buffer, std::int64_t element) const {
    return static_cast<std::byte*>(const_cast<void*>(buffer)) + element * extent_;
  }

  /// Elements of a vector that each rank combines for all; of short vectors none: each rank combines them all.
  Count share(Count count) const {
    constexpr std::int64_t most_for_all = 65536;
    return size_of(type_) * count * ranks_ <= most_for_all ? 0 : static_cast<Count>(count / ranks_);
  }

  /// Brings the operands of this rank's share together, from an element on, and combines them.
  int combine_shares(const void* source, Count each, const Elements& parts, std::int64_t from) const {
    if (each == 0) return MPI_SUCCESS;
    const int code = exchange(source, each, parts.at(from));
    return code == MPI_SUCCESS ? accumulate(parts, each, from) : code;
  }

  /// The same of what does not share out, by every rank; the result is the prefix up to a rank.
  int with_rest(const void* source, void* output, Count count, Count each, bool receives, int prefix) const {
    const Count done = static_cast<Count>(each * ranks_);
    const Count rest = count - done;
    if (rest == 0) return MPI_SUCCESS;
    const Elements operands(blocks(rest), type_);
    int code = gather_all(at(source, done), rest, operands.at(0));
    if (code == MPI_SUCCESS) code = accumulate(operands, rest, 0);
    if (code == MPI_SUCCESS && receives) {
      operands.copy_to(at(output, done), static_cast<std::int64_t>(prefix) * rest, rest);
    }
    return code;
  }

  /// Afterwards block r holds the operands of ranks 0 to r.
  int accumulate(const Elements& parts, Count each, std::int64_t from) const {
    int code = MPI_SUCCESS;
    for (std::int64_t r = 1; r < ranks_ && code == MPI_SUCCESS && each > 0; ++r) {
      code = reduce_local(parts.at(from + (r - 1) * each), parts.at(from + r * each), each);
    }
    return code;
  }

  // The calls that move data, in both widths.
  static constexpr bool narrow = std::is_same_v<Count, int>;
  int exchange(const void* from, Count each, void* to) const {
    if constexpr (narrow) return MPI_Alltoall(from, each, type_, to, each, type_, comm_);
#if MPI_VERSION >= 4
    else
      return MPI_Alltoall_c(from, each, type_, to, each, type_, comm_);
#endif
  }
  int gather_all(const void* from, Count each, void* to) const {
    if constexpr (narrow) return MPI_Allgather(from, each, type_, to, each, type_, comm_);
#if MPI_VERSION >= 4
    else
      return MPI_Allgather_c(from, each, type_, to, each, type_, comm_);
#endif
  }
  int gather(const void* from, Count each, void* to, int root) const {
    if constexpr (narrow) return MPI_Gather(from, each, type_, to, each, type_, root, comm_);
#if MPI_VERSION >= 4
    else
      return MPI_Gather_c(from, each, type_, to, each, type_, root, comm_);
#endif
  }
  int reduce_local(const void* in, void* both, Count count) const {
    if constexpr (narrow) return MPI_Reduce_local(in, both, count, type_, op_);
#if MPI_VERSION >= 4
    else
      return PMPI_Reduce_local_c(in, both, count, type_, op_);
#endif
  }

  MPI_Comm comm_;
  MPI_Datatype type_;
  MPI_Op op_;
  MPI_Aint extent_ = 0;
  int rank_ = 0;
  int ranks_ = 1;
};

}  // namespace tombolo::interpose
