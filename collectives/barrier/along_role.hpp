#pragma once

#include <tombolo/collectives/role.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// Writes the signals of one rank on their way up a tree: to its parent once all below have come. Returns the steps
/// after which they have.
std::vector<StepId> barrier_up(const Role& role, ScheduleWriter& writer);

/// And down again: from the parent, or, at the top, after those steps.
void barrier_down(const Role& role, std::vector<StepId> come, ScheduleWriter& writer);

}  // namespace tombolo
