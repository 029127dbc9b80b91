#pragma once

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>
#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// The positions of a rank's vectors during a reduction.
struct Vectors {
  bool own_in_output = false;  ///< the own vector is in the output instead of the input
  bool has_output = false;     ///< the output may hold sums; the root's result must end there
};

/// Writes one rank's steps of a reduction along routes: the rank combines each of its segments with those of its
/// children, in the order of role.children, and sends the sum to its parent. Arriving segments stay in scratch until
/// they are combined, as many as the windows allow and within combining_scratch_limit().
void reduce_along(const TreeRoutes& routes, const Request& request, const Parameters& parameters, Vectors vectors,
                  ScheduleWriter& writer);

}  // namespace tombolo
