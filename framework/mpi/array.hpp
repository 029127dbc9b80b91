#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <mpi.h>

#include <tombolo/framework/arrays/distribution.hpp>

namespace tombolo {

/// Set of independent items of a program in one to three dimensions. Program::plan() chooses the items of each rank.
/// Made by Program::domain().
struct Domain {
  int number = -1;
  std::uint64_t program = 0;  ///< Program::serial() of the owner; 0: none
};

/// Distribution of an array of a program: over a domain, at a root, everywhere, or two of these together.
///
///     Distributed::over(rows)                     own items on every rank
///     Distributed::over(rows).and_at(0)           own items, and the whole on rank 0: for scatterv and gatherv
///     Distributed::over(rows).and_everywhere()    own items to compute, and the whole everywhere: for allgatherv
///     Distributed::everywhere().and_at(0)         the whole everywhere, filled on rank 0: for bcast
///     Distributed::over(rows).with_halo(1)        own items, and one item before and behind: for halo exchanges
///     Distributed::as(distribution)               an explicit distribution over all ranks, e.g. blocks of a grid
struct Distributed {
  std::optional<Domain> domain = {};
  std::optional<Rank> root = {};
  bool replicated = false;
  std::int64_t halo = 0;
  std::optional<Distribution> placed = {};

  /// Gives every rank its own items.
  static Distributed over(Domain domain) { return {.domain = domain}; }
  /// Gives every rank its part of an explicit distribution, in the memory order of that distribution. All ranks are
  /// members then.
  static Distributed as(Distribution distribution) { return {.placed = std::move(distribution)}; }
  /// Gives one rank the whole array.
  static Distributed at(Rank root) { return {.root = root}; }
  /// Gives every rank the whole array.
  static Distributed everywhere() { return {.replicated = true}; }
  /// Adds the whole array on `rank`.
  Distributed and_at(Rank rank) const {
    Distributed more = *this;
    more.root = rank;
    return more;
  }
  /// Adds the whole array on every rank.
  Distributed and_everywhere() const {
    Distributed more = *this;
    more.replicated = true;
    return more;
  }
  /// Adds a halo: copies of `width` items of the first dimension before and behind a rank's own.
  Distributed with_halo(std::int64_t width) const {
    Distributed more = *this;
    more.halo = width;
    return more;
  }
};

/// Handle of an array of any type, for tasks.
struct AnyArray {
  int number = -1;
  std::uint64_t program = 0;  ///< Program::serial() of the owner; 0: none
};

/// Handle of an array of a program in D dimensions, or for D = 0 of a number that every rank holds. A handle can be
/// copied and gives no access to memory: tasks get views of declared accesses, and Program::local() gives access
/// between runs.
template <class T, std::size_t D>
class Array : public AnyArray {
  static_assert((std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) ||
                    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>,
                "elements are numbers: make an array of structures an array of numbers with one more dimension");
};

template <class T>
using Number = Array<T, 0>;

/// Standard operations for partial values.
enum class Reduce { sum, product, max, min };

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

}  // namespace tombolo
