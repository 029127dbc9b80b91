#pragma once

#include <vector>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Returns the candidate groups of an algorithm over groups of ranks (Mapped::groups, Mapped::nested_groups), each with
/// a name and no two equal; at most about three. `model` and `hierarchy` are for the ranks of the request. Empty for
/// other algorithms, if all ranks are equally near, if a rank does not know all counts of an alltoall, and where
/// collecting blocks cannot pay.
std::vector<NestedGroups> groups_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                     const Hierarchy& hierarchy);

/// Returns the groups of leader forwarding: those of all levels at once, the logical clusters alone and the outermost
/// groups alone, where these differ. Empty if all ranks are equally near.
std::vector<NestedGroups> level_groups(const Hierarchy& hierarchy);

/// Returns the groups of an alltoall between clusters: those of each level by itself, outermost first, and the logical
/// clusters if no level equals those. Skips a level of one group, or of groups of one rank only.
///
///     two sites, one of two machines:    2 groups, 3 groups
std::vector<NestedGroups> cluster_groups(const Hierarchy& hierarchy);

}  // namespace tombolo
