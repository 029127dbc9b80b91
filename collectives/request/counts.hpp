#pragma once

#include <string>
#include <string_view>

#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Distribution of the counts of one call over its blocks.
enum class Counts {
  equal,
  zipf,   ///< the k-th largest count is 1 / k of the largest
  sparse  ///< three quarters of the counts are 0
};

/// Returns `regular` (regular_request, equal counts) with the same number of elements, up to rounding, in the given
/// distribution. The positions of the large blocks are pseudo-random and reproducible. In an alltoall every rank sends
/// the same total, to different ranks. Throws Error for operations without counts.
Request with_counts(const Request& regular, Counts counts);

/// Names of the operations with counts, the last one after the conjunction ("or").
std::string operations_with_counts(std::string_view conjunction);

}  // namespace tombolo
