#pragma once

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Writes a reduce_scatter in which every rank sends every other the part that is its: in step s to the place s before
/// its own, so that no two send to the same at a time. Operands keep the order of ranks. Where it is `paced`, a step
/// begins when the one before it is complete.
void reduce_scatter_in_rotation(const Request& request, const Parameters& parameters, Rank rank, bool paced,
                                ScheduleWriter& writer);

}  // namespace tombolo
