#pragma once

#include <array>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/blas.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "run/stopwatch.hpp"

namespace tombolo::matmul {

inline constexpr std::array phase_names{"scatterv A", "bcast B", "compute", "gatherv C"};
inline constexpr std::size_t phases = phase_names.size();
inline constexpr std::size_t compute_phase = 2;

/// One rank's matrices. At the root a and c are the whole ones, in which its own slice lies; elsewhere the slices.
template <class T>
struct Matrices {
  Storage<T> a;
  Storage<T> b;
  Storage<T> c;
};

/// Slices of a matrix whose rows have so many elements, as they are handed to scatterv and gatherv: in rows, or, where
/// the memory is phantom, in elements, as SimGrid copies whatever travels as a derived datatype.
struct Slices {
  Slices(const Blocks& rows, std::int64_t columns, bool phantom);
  Blocks blocks;
  std::int64_t elements = 1;  ///< of the matrix, in one element of the blocks
};

/// C = A x B over horizontal slices (LMO paper, section 7 and Figure 5): rank r computes rows.count(r) rows of C. A and
/// C are row-major and lie on the root, B as well; every rank ends with all of B. Collective.
template <class T>
PhaseEnds multiply_rows(Session& session, Collectives& collectives, GemmShape shape, const Blocks& rows, Rank root,
                        Matrices<T>& matrices);

}  // namespace tombolo::matmul
