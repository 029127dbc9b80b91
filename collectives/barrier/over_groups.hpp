#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// Writes a barrier among so many places, of which this is one: groups of places that have heard from one another
/// signal `radix` - 1 others, then the groups of these do (nested_groups.hpp). Signals leave after the steps `heard`.
/// Returns the steps after which all have come.
std::vector<StepId> barrier_over_groups(int places, int place, int radix, const std::function<Rank(int)>& rank,
                                        std::vector<StepId> heard, ScheduleWriter& writer);

}  // namespace tombolo
