#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/session.hpp>

#include "transpose/options.hpp"

namespace tombolo::transposition {

/// The matrix to transpose. The same on all ranks.
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

/// The distributions of A and B. The same on all ranks.
struct Layouts {
  Layout a;
  Layout b;
  Redistribution moves;     ///< from the one to the other
  std::string shared;       ///< how the shares were found: "by memory and links, over all ranks"
  int relabelled = 0;       ///< parts of B that went to another rank than they would have without
  std::int64_t stayed = 0;  ///< elements whose rank stays the same
};

/// As the options want them. `speeds` are those of transposing, in bytes/s, one per rank. Throws AgreedError, where a
/// grid has not as many places as there are ranks. Collective.
Layouts find_layouts(Session& session, const Options& options, const Problem& problem,
                     const std::vector<BytesPerSecond>& speeds);

}  // namespace tombolo::transposition
