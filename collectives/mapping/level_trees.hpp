#pragma once

#include <vector>

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>

namespace tombolo {

/// The levels of a landscape as level_groups.hpp reads them, flat trees with a top for each group: of all levels, and
/// of the logical clusters alone, if that is another thing. Nothing where all ranks are equally near.
std::vector<MappedTrees> level_trees(const Landscape& landscape);

}  // namespace tombolo
