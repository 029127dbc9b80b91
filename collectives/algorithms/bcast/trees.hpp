#pragma once

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

/// Writes one rank's steps of a broadcast along routes: the rank forwards each segment to its children on arrival. The
/// vector is in Buffer::output; at the root of the routes from the beginning.
void bcast_along(const TreeRoutes& routes, const Parameters& parameters, ScheduleWriter& writer);

}  // namespace tombolo
