#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/arrays.hpp>
#include <tombolo/collectives.hpp>
#include <tombolo/framework/mpi/program/guarded_memory.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Memory of an array on one rank: the whole, or its contiguous slices between the rows of its halo.
class ArrayMemory {
 public:
  /// `inner` are the extents of all dimensions but the first.
  ArrayMemory(DeclaredArray declared, MPI_Datatype type, std::vector<std::int64_t> inner)
      : declared_(std::move(declared)), type_(type), inner_(std::move(inner)) {}

  const DeclaredArray& declared() const { return declared_; }
  MPI_Datatype type() const { return type_; }
  std::span<const std::int64_t> inner() const { return inner_; }
  /// Sets the least number of rows allocated on every rank.
  void have_room_for(std::int64_t rows) { declared_.least = rows; }
  Bytes row_bytes() const { return declared_.shape.columns * declared_.element; }
  /// Bytes of an item in a view: of a row, or of an element of an explicit distribution.
  Bytes item_bytes() const { return declared_.placed ? declared_.element : row_bytes(); }

  /// Allocates zeroed memory for a member, at least `room` bytes. A number has memory on every rank, also if arrays are
  /// phantom.
  void hold_number(bool in_pages = false);
  void hold(const Session& session, const Arrangement& arrangement, Rank member, Bytes room = 0, bool in_pages = false);
  /// Uses the memory of another array instead.
  void share(const ArrayMemory& other, const Arrangement& arrangement, Rank member);
  /// Ends the sharing of memory: replaces it by zeroed memory of the array's own.
  void have_own(const Session& session);
  /// True if this rank holds the whole array.
  bool whole() const { return whole_; }
  /// True if the memory is address space without content (Session::use_phantom_memory).
  bool phantom() const { return phantom_; }
  /// Returns the elements without the halo; null if there is no memory.
  std::byte* data() const {
    return storage_ == nullptr ? nullptr : storage_->data() + (whole_ ? 0 : declared_.halo * row_bytes());
  }
  std::int64_t elements() const { return elements_; }
  /// Returns the first row of a slice of this rank.
  std::byte* at(const Slice& slice) const { return data() + (whole_ ? slice.first : slice.local) * row_bytes(); }

  /// Returns all memory, including the halo; empty if phantom.
  std::span<std::byte> all() const {
    if (storage_ == nullptr || phantom_) return {};
    return {storage_->data(), static_cast<std::size_t>(storage_->size())};
  }
  // Memory in separate pages (TOMBOLO_CHECK): sets the allowed accesses and tests addresses. No effect on other memory.
  void allow(GuardedMemory::Allowed what) {
    if (pages_ != nullptr) pages_->allow(what);
  }
  bool is_near(const void* address) const { return pages_ != nullptr && pages_->is_near(address); }

  /// True if this rank has begun its part of a partial value since the last reduction.
  bool combining() const { return combining_; }
  void set_combining(bool combining) { combining_ = combining; }

  /// Swaps two arrays of the same declaration.
  void swap(ArrayMemory& other) {
    swap_memory(other);
    std::swap(elements_, other.elements_);
    std::swap(combining_, other.combining_);
  }
  /// Swaps the memories of two arrays.
  void swap_memory(ArrayMemory& other) {
    std::swap(storage_, other.storage_);
    std::swap(pages_, other.pages_);
  }

 private:
  void take_pages(Bytes bytes);

  DeclaredArray declared_;
  MPI_Datatype type_;
  std::vector<std::int64_t> inner_;
  std::shared_ptr<Storage<std::byte>> storage_;
  std::shared_ptr<GuardedMemory> pages_;
  std::int64_t elements_ = 0;
  bool whole_ = false;
  bool phantom_ = false;
  bool combining_ = false;
};

/// Declaration of a program with its memory, operations, bodies and rules, by the numbers of the declaration.
struct ProgramBody {
  Declaration declared;
  std::vector<std::shared_ptr<ArrayMemory>> arrays = {};
  std::vector<Reduction> reductions = {};  ///< by array; without an operation if the array is no partial value

  struct Work {
    BoundBody<const Range&> on_range = {};   ///< compute, farm
    BoundBody<Collectives&> by_itself = {};  ///< custom
  };
  std::vector<Work> works = {};      ///< by task
  std::vector<LoopRule> rules = {};  ///< by loop; may be empty

  const DeclaredTask& task(int number) const { return declared.tasks[static_cast<std::size_t>(number)]; }
  const DeclaredDomain& domain(int number) const { return declared.slices[static_cast<std::size_t>(number)]; }
  const Work& work(int number) const { return works[static_cast<std::size_t>(number)]; }
  ArrayMemory& array(int number) const { return *arrays[static_cast<std::size_t>(number)]; }
  const Reduction& reduction(int number) const { return reductions[static_cast<std::size_t>(number)]; }
};

/// Returns the range of a slice, in all dimensions of its domain.
inline Range range_of(const DeclaredDomain& domain, const Slice& slice) {
  return {slice.first, slice.count, {0, domain.inner[0], domain.inner[1]}};
}

class CheckMode;

/// Calls the body of a task with views of its declared accesses, and combines its contributions to partial values.
class BodyCaller {
 public:
  /// `accesses` are the accesses of the body; `check` may be null.
  BodyCaller(const ProgramBody& body, const std::vector<DeclaredAccess>& accesses, int task = 0,
             CheckMode* check = nullptr);

  /// Calls a body for items of this rank, or for part `part` of `parts` of each.
  void call(const BoundBody<const Range&>& bound, const DeclaredDomain& domain, const Slice& slice,
            std::int64_t part = 0, std::int64_t parts = 1);
  /// Calls a body for all that this rank holds: its items of the only panel, or the whole of an array in no domain.
  void call(const BoundBody<Collectives&>& bound, Collectives& collectives, const Arrangement& arrangement,
            Rank member);

 private:
  void call(const std::function<void(std::span<const ViewedMemory>)>& body);
  ViewedMemory viewed(const DeclaredAccess& access, const Slice& slice);
  ViewedMemory accumulator(std::size_t access);
  void combine();

  const ProgramBody& body_;
  const std::vector<DeclaredAccess>& accesses_;
  int task_;
  CheckMode* check_;
  std::vector<ViewedMemory> memory_;
  std::vector<std::vector<std::byte>> accumulators_;  // by access
};

}  // namespace tombolo
