#pragma once

#include <cstdint>
#include <vector>

#include "run/report.hpp"
#include "transpose/options.hpp"
#include "transpose/problem.hpp"
#include "transpose/slices.hpp"

namespace tombolo::transposition {

/// What became of a run.
struct Result {
  std::vector<BytesPerSecond> speeds;  ///< measured before
  Timeline timeline;
  std::uint64_t hash_of_a = 0;
  std::uint64_t hash_of_b = 0;  ///< places counted transposed
};

/// Everything that is told of it; what was forecast on rank 0 only.
Report report_of(Session& session, const Options& options, const Problem& problem, const Slices& slices,
                 const Result& result);

}  // namespace tombolo::transposition
