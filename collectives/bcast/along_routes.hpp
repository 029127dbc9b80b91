#pragma once

#include <tombolo/collectives/schedule_writer.hpp>
#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

/// Writes what passes a vector in Buffer::output down: every rank passes each segment on to its children as soon as it
/// has it. Who is at the top must have it.
void bcast_along(const TreeRoutes& routes, const Parameters& parameters, ScheduleWriter& writer);

}  // namespace tombolo
