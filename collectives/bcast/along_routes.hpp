#pragma once

#include <tombolo/collectives/routes.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// Writes what passes a vector in Buffer::output down: every rank passes each segment on to its children as soon as it
/// has it. Who is at the top must have it.
void bcast_along(const Routes& routes, const Parameters& parameters, ScheduleWriter& writer);

}  // namespace tombolo
