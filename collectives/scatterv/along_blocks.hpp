#pragma once

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/subtree_blocks.hpp>

namespace tombolo {

/// Writes what one rank does in a scatterv over a tree: it receives the blocks of its whole subtree and hands every
/// child the child's part. Leaves receive into their output; nothing is copied on the way. What travels over a link is
/// cut into segments, the farthest places' first, so that a place passes on what has come while the rest still comes.
void scatterv_along(const SubtreeBlocks& blocks, const Request& request, const Parameters& parameters, Rank rank,
                    ScheduleWriter& writer);

/// Where ranks know only their own counts: every parent first sends each inner child the counts of the child's subtree.
void learn_scatterv_along(const SubtreeBlocks& blocks, ScheduleWriter& writer);

}  // namespace tombolo
