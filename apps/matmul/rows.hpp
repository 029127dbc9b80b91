#pragma once

#include <array>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/blas.hpp>

#include "run/stopwatch.hpp"

namespace tombolo::matmul {

inline constexpr std::array phase_names{"scatterv A", "bcast B", "compute", "gatherv C"};
inline constexpr std::size_t phases = phase_names.size();
inline constexpr std::size_t compute_phase = 2;

/// One rank's matrices. At the root a and c are the whole ones, in which its own slice lies; elsewhere the slices.
template <class T>
struct Matrices {
  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> c;
};

/// C = A x B over horizontal slices (LMO paper, section 7 and Figure 5): rank r computes rows.count(r) rows of C. A and
/// C are row-major and lie on the root, B as well; every rank ends with all of B. Collective.
template <class T>
PhaseEnds multiply_rows(Collectives& collectives, GemmShape shape, const Blocks& rows, Rank root,
                        Matrices<T>& matrices);

}  // namespace tombolo::matmul
