#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

/// Writes the steps of virtual rank `place` in a barrier of `places` virtual ranks by recursive multiplying: groups
/// that have completed a barrier among themselves signal `radix` - 1 other groups, then the resulting groups do
/// (radix_groups.hpp). Signals are sent after the steps `heard`. Returns the steps after which all ranks have entered
/// the barrier.
std::vector<StepId> barrier_over_groups(int places, int place, int radix, const std::function<Rank(int)>& rank,
                                        std::vector<StepId> heard, ScheduleWriter& writer);

}  // namespace tombolo
