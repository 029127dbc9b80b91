#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include <mpi.h>

#include <tombolo/framework/mpi/program/array_memory.hpp>

namespace tombolo {

/// Independent items of a program, rows of its arrays as a rule: which of them each rank gets is chosen when the
/// program is planned. Made by Program::slices().
struct Slices {
  int number = 0;
};

/// Who holds an array: Held::by(rows), Held::at(root), Held::everywhere(), or two of them together.
///
///     Held::by(rows)                      every rank its own rows
///     Held::by(rows).and_at(0)            the same, and rank 0 all of it: for scatterv and gatherv
///     Held::by(rows).and_everywhere()     all of it, and computes its own rows: for allgatherv
///     Held::everywhere().and_at(0)        all of it, from rank 0: for bcast
///     Held::by(rows).with_halo(1)         a row before and behind its own as well: for halo exchanges
///     Held::as(distribution)              every rank of the session what that says, blocks of a grid for instance
struct Held {
  std::optional<Slices> slices = {};
  std::optional<Rank> root = {};
  bool all_hold_it = false;
  std::int64_t halo = 0;
  std::optional<Distribution> placed = {};

  /// Every rank its own items.
  static Held by(Slices slices) { return {.slices = slices}; }
  /// What the program says itself, in the order of that distribution's memory. All ranks take part then.
  static Held as(Distribution distribution) { return {.placed = std::move(distribution)}; }
  /// One rank all of it.
  static Held at(Rank root) { return {.root = root}; }
  /// Every rank all of it.
  static Held everywhere() { return {.all_hold_it = true}; }
  /// The same, and that rank all of it.
  Held and_at(Rank rank) const {
    Held held = *this;
    held.root = rank;
    return held;
  }
  /// The same, and every rank all of it.
  Held and_everywhere() const {
    Held held = *this;
    held.all_hold_it = true;
    return held;
  }
  /// The same, and copies of so many rows before and behind its own.
  Held with_halo(std::int64_t rows) const {
    Held held = *this;
    held.halo = rows;
    return held;
  }
};

/// Any array, as tasks are told of what they read and write.
struct AnyArray {
  int number = 0;
};

/// An array of a program: a handle, which is copied. Memory is there from Program::prepare() on.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  /// For Program::array().
  Array(int number, std::shared_ptr<ArrayMemory> memory) : number_(number), memory_(std::move(memory)) {}
  /// As tasks are told of it.
  operator AnyArray() const { return {number_}; }

  /// What this rank holds, row after row: all of it, or its own rows. It stays where it is until arrays are swapped or
  /// shares change.
  T* data() const { return reinterpret_cast<T*>(memory_->data()); }
  std::int64_t size() const { return memory_->elements(); }  ///< elements there
  bool whole() const { return memory_->whole(); }            ///< whether that is all of it
  std::int64_t rows() const { return memory_->declared().shape.rows; }
  std::int64_t columns() const { return memory_->declared().shape.columns; }
  /// The first row of a slice of this rank. With a halo, rows before and behind the slice are there too.
  T* at(const Slice& slice) const { return reinterpret_cast<T*>(memory_->at(slice)); }
  /// The element of an array that is held everywhere, or of one element.
  T& operator[](std::int64_t i) const { return data()[i]; }
  T& operator*() const { return *data(); }  ///< the number that an array of one element is
  /// Sets all that this rank holds. Nothing happens on phantom memory.
  void fill(T value) const {
    if (!memory_->phantom()) std::fill_n(data(), size(), value);
  }

 private:
  int number_ = 0;
  std::shared_ptr<ArrayMemory> memory_;
};

/// MPI's datatype for one element; bytes for structures, of which MPI knows nothing.
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

}  // namespace tombolo
