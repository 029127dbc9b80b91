#pragma once

#include <vector>

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>

namespace tombolo {

/// What trees_for() has for a total exchange between clusters: for each level of the landscape a tree with a top for
/// each of its groups and the others of the group right below it. The outermost level comes first, then those inside,
/// as long as any group splits; and the logical clusters, where they are none of these. None where a level has but one
/// group, or only groups of one.
///
///     two sites, one of two machines:    2 groups, 3 groups
std::vector<MappedTrees> cluster_trees(const Landscape& landscape);

}  // namespace tombolo
