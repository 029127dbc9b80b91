#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/mpi/access.hpp>
#include <tombolo/framework/mpi/array.hpp>
#include <tombolo/framework/mpi/program/guarded_memory.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/storage.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

/// Operation of a partial value: its identity, and how calls and ranks combine parts.
struct Reduction {
  std::string name;
  MPI_Op op = MPI_OP_NULL;
  bool made = false;  ///< `op` was created and is freed with the program
  bool commutative = true;
  void (*function)() = nullptr;                         ///< custom function, for comparison with others
  std::function<void(std::byte*, std::int64_t)> begin;  ///< sets elements to the identity
  std::function<void(std::byte*, const std::byte*, std::int64_t)> combine;  ///< into the first argument
};

namespace detail {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T, class Combine>
Reduction reduction_of(std::string name, MPI_Op op, T identity, Combine combine) {
  return {.name = std::move(name),
          .op = op,
          .begin = [identity](std::byte* to,
                              std::int64_t count) { std::fill_n(reinterpret_cast<T*>(to), count, identity); },
          .combine =
              [combine](std::byte* to, const std::byte* from, std::int64_t count) {
                auto* const all = reinterpret_cast<T*>(to);
                const auto* const part = reinterpret_cast<const T*>(from);
                for (std::int64_t i = 0; i < count; ++i) all[i] = combine(all[i], part[i]);
              }};
}

/// Returns a reduction by an operation that MPI lacks.
template <class T, T (*Combine)(T, T)>
Reduction made_reduction(std::string name, T identity, bool commutative) {
  Reduction reduction = reduction_of<T>(std::move(name), MPI_OP_NULL, identity, Combine);
  const auto call = [](void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
    const auto* const left = static_cast<const T*>(in);
    auto* const right = static_cast<T*>(inout);
    for (int i = 0; i < *count; ++i) right[i] = Combine(left[i], right[i]);
  };
  check_mpi(MPI_Op_create(call, commutative ? 1 : 0, &reduction.op), "MPI_Op_create");
  reduction.made = true;
  reduction.commutative = commutative;
  return reduction;
}

template <class T>
bool not_a_number([[maybe_unused]] T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}
/// Returns the larger value, or NaN if an argument is NaN.
template <class T>
T larger(T a, T b) {
  return a < b || not_a_number(b) ? b : a;
}
template <class T>
T smaller(T a, T b) {
  return b < a || not_a_number(b) ? b : a;
}

}  // namespace detail

/// Returns the reduction of a standard operation. Throws Error for max and min of complex numbers.
template <class T>
Reduction reduction_by(Reduce how) {
  if (how == Reduce::sum) return detail::reduction_of<T>("sum", MPI_SUM, T{0}, [](T a, T b) { return T(a + b); });
  if (how == Reduce::product) {
    return detail::reduction_of<T>("product", MPI_PROD, T{1}, [](T a, T b) { return T(a * b); });
  }
  if constexpr (detail::is_complex<T>) {
    throw Error("complex numbers have no maximum and no minimum", "combine their absolute values or parts");
  } else {
    using Limits = std::numeric_limits<T>;
    constexpr T least = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    constexpr T most = Limits::has_infinity ? Limits::infinity() : Limits::max();
    // MPICH 4.0 compares unsigned numbers as if they were signed; its MPI_MAX keeps or loses a NaN depending on the
    // order of ranks.
    if constexpr (std::is_unsigned_v<T> || std::is_floating_point_v<T>) {
      return how == Reduce::max ? detail::made_reduction<T, detail::larger<T>>("max", least, true)
                                : detail::made_reduction<T, detail::smaller<T>>("min", most, true);
    } else {
      return how == Reduce::max ? detail::reduction_of<T>("max", MPI_MAX, least, detail::larger<T>)
                                : detail::reduction_of<T>("min", MPI_MIN, most, detail::smaller<T>);
    }
  }
}

/// Returns the reduction of a custom associative function. Its name is not compared between ranks, as functions have
/// none.
template <class T, T (*Combine)(T, T)>
Reduction reduction_by(T identity, bool commutative) {
  Reduction reduction = detail::made_reduction<T, Combine>("own", identity, commutative);
  reduction.function = reinterpret_cast<void (*)()>(Combine);
  return reduction;
}

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

  /// Calls a body for items of this rank.
  void call(const BoundBody<const Range&>& bound, const DeclaredDomain& domain, const Slice& slice);
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
