#pragma once

#include <cstdint>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/npy_header.hpp>

#include "transpose/options.hpp"

namespace tombolo::transposition {

/// What is to be transposed. The same on all ranks.
struct Problem {
  MatrixShape a;
  ElementType type = ElementType::float64;
  NpyHeader header;  ///< of the file, if there is one

  MatrixShape b() const { return {a.columns, a.rows}; }
};

/// From the options, or from the header of the file, which every rank must see. Also checks that results can be
/// written, before any work. The bytes of A, and its rows and columns, are then at most 2^60. Throws AgreedError on all
/// ranks. Collective.
Problem find_problem(Session& session, const Options& options);

/// Loads or generates a part of A, column after column in a layout by columns. Throws AgreedError on all ranks.
/// Collective.
template <Element T>
void fill(Session& session, const Options& options, const Problem& problem, const Part& part, bool by_columns, T* to);

}  // namespace tombolo::transposition
