#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/mapping/group_schedule.hpp>

namespace tombolo {

/// A schedule of trees stated by the user: the schedules between the groups of each level of a hierarchy, and the tree
/// inside groups without children.
struct StatedSchedule {
  std::vector<const GroupSchedule*> between;  ///< outermost level first; deeper levels use the last one
  std::string inside;                         ///< a name in inside_shapes(); empty: the fastest by prediction
};

/// Parses "ecef", "ecef over binomial" or, level by level, "flat over binomial over binomial", the form of tree names:
/// schedules, and last the tree inside, unless only one schedule is stated. Throws Error, which lists the schedules or
/// inner trees, for an unknown name.
StatedSchedule stated_schedule(std::string_view words);

/// Throws Error for an algorithm without trees below one root, the kind that scheduled() plans.
void check_follows_schedule(const Algorithm& algorithm);

/// Returns a plan for each segment size (0: unsegmented) and inner tree, with the usual window, fastest first. Throws
/// Error for an algorithm without trees below one root, for a hierarchy that is unknown or has one group only, and for
/// more schedules than it has levels of groups.
std::vector<Candidate> scheduled(const StatedSchedule& schedule, const Algorithm& algorithm, const Request& request,
                                 const Model& model, const PlatformKnowledge& knowledge,
                                 std::span<const Bytes> segments);

}  // namespace tombolo
