#pragma once

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>
#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Writes one rank's steps of an allreduce along routes: segments are combined on their way up, and passed down while
/// later segments still go up.
void allreduce_along(const TreeRoutes& up, const TreeRoutes& down, const Request& request, const Parameters& parameters,
                     ScheduleWriter& writer);

}  // namespace tombolo
