#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/forest.hpp>

namespace tombolo {

/// Writes a broadcast over the trees of a forest, below the root: each segment goes through one of them.
void bcast_over_forest(int trees, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer);

}  // namespace tombolo
