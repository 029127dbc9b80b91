#pragma once

#include <tombolo/collectives/request/request.hpp>

#include "bench/options.hpp"

namespace tombolo::benchmarking {

/// Throws Error where what the user has stated of the algorithm does not go with it, or with the operation.
void check_stated(Operation operation, const Options& options);

}  // namespace tombolo::benchmarking
