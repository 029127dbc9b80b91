#pragma once

#include <vector>

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>

namespace tombolo {

// The levels of a landscape as trees with several tops: one for each group of the level, with the others of the group
// right below it.

/// For relays: all levels at once, as level_groups.hpp reads them, and the logical clusters alone, if that is another
/// thing. Nothing where all ranks are equally near.
std::vector<MappedTrees> level_trees(const Landscape& landscape);

/// For a total exchange between clusters: each level by itself, the outermost first, then those inside, as long as any
/// group splits; and the logical clusters, where they are none of these. None where a level has but one group, or only
/// groups of one.
///
///     two sites, one of two machines:    2 groups, 3 groups
std::vector<MappedTrees> cluster_trees(const Landscape& landscape);

}  // namespace tombolo
