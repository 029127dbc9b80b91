#pragma once

#include <vector>

#include <tombolo/collectives/operation.hpp>
#include <tombolo/platform/units.hpp>

#include "bench/options.hpp"

namespace tombolo::benchmarking {

/// One case: an operation, a size as regular_bytes() counts it, and a root.
struct Cell {
  Operation operation = Operation::barrier;
  Bytes bytes = 0;
  Rank root = 0;
};

/// Those that the user asked for, in that order. Throws Error for operations and roots that there are not.
std::vector<Cell> cells_of(const Options& options, int ranks);

}  // namespace tombolo::benchmarking
