#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/forest.hpp>

namespace tombolo {

/// Writes a reduction over the trees of a forest, below the root: each segment goes through one of them, and from its
/// top to the root. Operands change places.
void reduce_over_forest(int trees, const Request& request, const Parameters& parameters, Rank rank,
                        ScheduleWriter& writer);

}  // namespace tombolo
