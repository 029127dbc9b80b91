#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tombolo/collectives/exchange.hpp>
#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/transpose_blocks.hpp>

#include "run/stopwatch.hpp"

namespace tombolo::transposition {

inline constexpr std::array phase_names{"pack", "alltoallv", "unpack"};
inline constexpr std::size_t phases = phase_names.size();
inline constexpr std::size_t pack_phase = 0;
inline constexpr std::size_t unpack_phase = 2;

/// The consecutive rows of A and of B that each rank has, and what it therefore exchanges, in elements. All ranks know
/// all of it.
struct Slices {
  Slices(std::vector<std::int64_t> rows_of_a, std::vector<std::int64_t> rows_of_b);

  std::vector<std::int64_t> rows_of_a;
  std::vector<std::int64_t> rows_of_b;
  Exchange exchange;

  TransposeShares shares() const { return {rows_of_a, rows_of_b}; }
  /// Elements that a rank packs, which are its rows of A, and that it unpacks, its rows of B.
  std::int64_t packed(Rank rank) const { return exchange.sends(rank).total(); }
  std::int64_t unpacked(Rank rank) const { return exchange.receives(rank).total(); }
};

/// One rank's two buffers, which take turns: A lies in the first, is packed into the second, arrives in the first, and
/// is unpacked into the second, which then holds B. So a rank needs room for two slices and not for four.
template <Element T>
struct Buffers {
  Buffers() = default;
  Buffers(const Session& session, const Slices& slices);
  static std::int64_t elements(const Slices& slices, Rank rank);  ///< of each

  Storage<T> first;
  Storage<T> second;
};

/// B = A^T: every rank packs the blocks of its rows of A, transposed, sends one to each rank, and puts together its
/// rows of B. Collective.
template <Element T>
PhaseEnds transpose_slices(Session& session, Collectives& collectives, const Slices& slices, const Buffers<T>& buffers);

}  // namespace tombolo::transposition
