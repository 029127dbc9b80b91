#pragma once

#include <tombolo/collectives/request.hpp>

namespace tombolo {

/// How the counts of one call differ from block to block.
enum class Counts {
  equal,
  zipf,   ///< the k-th largest is 1 / k of the largest
  sparse  ///< three of four are 0
};

/// A request with as many elements, but for rounding, whose counts are so: of a regular one (regular_request), in which
/// they are equal. Which blocks are large looks as if by chance, and is the same wherever it is asked for; in a total
/// exchange every rank sends as much as any other, but to others. Throws Error for operations without counts.
Request with_counts(const Request& regular, Counts counts);

}  // namespace tombolo
