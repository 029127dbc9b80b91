#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo::predicting {

/// Speeds of work that a platform knows, in units per second, by rank.
struct Speeds {
  std::vector<std::int64_t> of_ranks;
  std::string source;  ///< "kernel dgemm"
};

/// Of products of this type in calls as within `product`, which must not be empty, in flop/s. Throws Error where a rank
/// has none.
Speeds gemm_speeds(const Session& imagined, ElementType type, const GemmShape& product);

/// Of transposing elements of this type in this part of a matrix, in bytes/s. Throws Error where a rank has none.
Speeds transpose_speeds(const Session& imagined, ElementType type, const MatrixShape& part);

}  // namespace tombolo::predicting
