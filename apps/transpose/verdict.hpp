#pragma once

#include <cstdint>

#include "run/report.hpp"

namespace tombolo::transposition {

/// By the sums of hashes over all of A, and over all of B with places counted transposed (matrix_hash.hpp).
Verdict verdict_on(std::uint64_t hash_of_a, std::uint64_t hash_of_b);

}  // namespace tombolo::transposition
