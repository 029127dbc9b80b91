#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/forest.hpp>

namespace tombolo {

/// Writes an allreduce over the trees of a forest without a root: each segment is combined on its way up one of them
/// and passed down the same. Operands change places.
void allreduce_over_forest(int trees, const Request& request, const Parameters& parameters, Rank rank,
                           ScheduleWriter& writer);

}  // namespace tombolo
