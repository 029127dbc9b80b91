#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <mpi.h>

#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/program/arrangement.hpp>
#include <tombolo/framework/storage.hpp>

namespace tombolo {

/// What one rank holds of an array: all of it, or its slices one behind the other between the rows of its halo.
class ArrayMemory {
 public:
  ArrayMemory(DeclaredArray declared, MPI_Datatype type) : declared_(std::move(declared)), type_(type) {}

  const DeclaredArray& declared() const { return declared_; }
  MPI_Datatype type() const { return type_; }
  Bytes row_bytes() const { return declared_.shape.columns * declared_.element; }

  /// Takes memory for a member of the program, all zeros; at least `room` bytes.
  void hold(const Session& session, const Arrangement& arrangement, Rank member, Bytes room = 0);
  /// The memory of another array instead.
  void share(const ArrayMemory& other, const Arrangement& arrangement, Rank member);
  /// Whether this rank holds all of it.
  bool whole() const { return whole_; }
  /// Whether it holds nothing, but address space (Session::use_phantom_memory).
  bool phantom() const { return phantom_; }
  /// All that it holds, without the halo.
  std::byte* data() const { return begin() + (whole_ ? 0 : declared_.halo * row_bytes()); }
  std::int64_t elements() const { return elements_; }
  /// The first row of a slice of this rank.
  std::byte* at(const Slice& slice) const { return data() + (whole_ ? slice.first : slice.local) * row_bytes(); }

  /// Two arrays that are declared alike change places.
  void swap(ArrayMemory& other) {
    swap_memory(other);
    std::swap(elements_, other.elements_);
  }
  /// What each has in memory becomes the other's.
  void swap_memory(ArrayMemory& other) { std::swap(storage_, other.storage_); }

 private:
  std::byte* begin() const { return storage_ == nullptr ? nullptr : storage_->data(); }

  DeclaredArray declared_;
  MPI_Datatype type_;
  std::shared_ptr<Storage<std::byte>> storage_;
  std::int64_t elements_ = 0;
  bool whole_ = false;
  bool phantom_ = false;
};

}  // namespace tombolo
