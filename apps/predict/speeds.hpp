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

/// Returns the speeds of products of this type in flop/s, at the size of the calls within `product`, which must not be
/// empty. Throws Error if the platform has none for a rank.
Speeds gemm_speeds(const Session& imagined, ElementType type, const GemmShape& product);

/// Returns the speeds of transposing elements of this type in this part of a matrix, in bytes/s. Throws Error if the
/// platform has none for a rank.
Speeds transpose_speeds(const Session& imagined, ElementType type, const MatrixShape& part);

}  // namespace tombolo::predicting
