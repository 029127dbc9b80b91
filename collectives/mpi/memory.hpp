#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/scratch_pool.hpp>
#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

/// One rank's buffers in one call: the addresses of a schedule's buffer ranges, and local copies and reductions. For
/// elements of any datatype.
class Memory {
 public:
  Memory() = default;
  /// `input` is only read. `op` may be MPI_OP_NULL if the schedule has no reductions.
  Memory(const void* input, void* output, const TypeLayout& type, MPI_Op op = MPI_OP_NULL);
  /// For a learning schedule: one 8-byte integer per rank.
  explicit Memory(std::span<std::int64_t> counts);

  /// Places that many elements of scratch in the pool's memory, for as long as the lease lasts.
  [[nodiscard]] ScratchPool::Lease place_scratch(std::int64_t elements, ScratchPool& pool);

  /// Returns true if the buffer ranges lie in phantom memory and a message of `count` elements fits into it. Then a
  /// message may use any address in phantom memory.
  bool holds_nothing(std::span<const BufferRange> pieces, std::int64_t count) const;
  void* phantom() const { return phantom_.data(); }

  MPI_Datatype type() const { return type_.type; }
  /// Returns true if elements have no gaps.
  bool dense() const { return type_.dense; }
  /// The most elements of one message.
  int most() const { return type_.most; }
  void* address(const BufferRange& piece) const {
    return base_[static_cast<std::size_t>(piece.buffer)] + piece.offset * type_.extent;
  }
  /// Copies elements with gaps by a message of this rank to itself on the communicator.
  void copy(std::span<const BufferRange> from, std::span<const BufferRange> into, MPI_Comm communicator) const;
  /// into = from (op) into
  void reduce(std::span<const BufferRange> from, std::span<const BufferRange> into) const;

 private:
  void copy_range(const void* from, void* into, std::int64_t count, MPI_Comm communicator) const;

  bool is_phantom(const void* address) const;

  std::array<std::byte*, buffer_kinds> base_{};
  std::span<std::byte> phantom_;
  TypeLayout type_;
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace tombolo
