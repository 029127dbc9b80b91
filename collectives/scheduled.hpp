#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/mapping/group_schedule.hpp>

namespace tombolo {

/// How trees are to go, stated rather than chosen: by that schedule between the groups of a landscape, over that shape
/// inside those that have none.
struct StatedSchedule {
  const GroupSchedule* between = nullptr;
  std::string inside;  ///< the name of one of inside_shapes(); empty: whichever is predicted to be the fastest
};

/// "ecef" or "ecef over binomial", as trees are named. Throws Error that lists the schedules or shapes there are.
StatedSchedule stated_schedule(std::string_view words);

/// A plan for each segment size (0: whole messages) and shape, with a usual window, the fastest first. Throws Error for
/// an algorithm that goes along no trees below one root, and where no landscape of several groups is known.
std::vector<Candidate> scheduled(const StatedSchedule& schedule, const Algorithm& algorithm, const Request& request,
                                 const Model& model, const Terrain& terrain, std::span<const Bytes> segments);

}  // namespace tombolo
