#pragma once

#include <tombolo/collectives/schedule_writer.hpp>
#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

/// Where a rank's vectors stand while they are combined.
struct Vectors {
  bool own_in_output = false;  ///< what the rank brings stands there, not in the input
  bool has_output = false;     ///< whether sums may stand there; at the top they must in the end
};

/// Writes what combines vectors on their way up: every rank combines each of its segments with what its children send,
/// in the order of role.children, and sends the sum to its parent. What comes in stands in scratch until it is
/// combined, as many segments as a window lets be under way, and never more than two vectors.
void reduce_along(const TreeRoutes& routes, const Request& request, const Parameters& parameters, Vectors vectors,
                  ScheduleWriter& writer);

}  // namespace tombolo
