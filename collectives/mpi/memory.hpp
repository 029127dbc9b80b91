#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/type_layout.hpp>
#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// Room for scratch, kept from call to call: fresh memory costs more than moving data through it.
class Scratch {
 public:
  /// Takes it from `phantom` where that is large enough (machine::phantom).
  explicit Scratch(std::span<std::byte> phantom = {}) : phantom_(phantom) {}
  std::byte* take(std::size_t bytes);
  std::span<std::byte> phantom() const { return phantom_; }

 private:
  std::span<std::byte> phantom_;
  std::unique_ptr<std::byte[]> room_;
  std::size_t size_ = 0;
};

/// One rank's buffers in one call: where the pieces of a schedule lie, and the local work on them. Elements of any
/// datatype.
class Memory {
 public:
  Memory() = default;
  /// `input` is only read. `op` may be MPI_OP_NULL where the schedule reduces nothing.
  Memory(const void* input, void* output, const TypeLayout& type, MPI_Op op = MPI_OP_NULL);
  /// For learning: one 8-byte integer per rank.
  explicit Memory(std::span<std::int64_t> counts);

  /// Lays that many elements of scratch into room that outlives this.
  void place_scratch(std::int64_t elements, Scratch& room);

  /// Whether the pieces lie in phantom memory and a message of `count` elements does. Which of it is sent or received
  /// is then all the same.
  bool holds_nothing(std::span<const Piece> pieces, std::int64_t count) const;
  void* phantom() const { return phantom_.data(); }

  MPI_Datatype type() const { return type_.type; }
  /// Whether elements are without gaps.
  bool dense() const { return type_.dense; }
  /// Elements that one message may carry.
  int most() const { return type_.most; }
  void* address(const Piece& piece) const {
    return base_[static_cast<std::size_t>(piece.buffer)] + piece.offset * type_.extent;
  }
  /// Where elements have gaps, by a message of this rank to itself on the communicator.
  void copy(std::span<const Piece> from, std::span<const Piece> into, MPI_Comm communicator) const;
  /// into = from (op) into
  void reduce(std::span<const Piece> from, std::span<const Piece> into) const;

 private:
  void copy_range(const void* from, void* into, std::int64_t count, MPI_Comm communicator) const;

  bool is_phantom(const void* address) const;

  std::array<std::byte*, buffer_kinds> base_{};
  std::span<std::byte> phantom_;
  TypeLayout type_;
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace tombolo
