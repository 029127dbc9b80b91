#pragma once

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/subtree_blocks.hpp>

namespace tombolo {

/// Writes what one rank does in a gatherv over a tree, the mirror of scatterv_along: it collects its children's
/// subtrees and sends them up behind its own block, in segments the first of which can leave before the last has come.
void gatherv_along(const SubtreeBlocks& blocks, const Request& request, const Parameters& parameters, Rank rank,
                   ScheduleWriter& writer);

/// Where ranks know only their own counts: every inner place first collects the counts of its subtree.
void learn_gatherv_along(const SubtreeBlocks& blocks, ScheduleWriter& writer);

}  // namespace tombolo
