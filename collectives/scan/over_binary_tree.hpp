#pragma once

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Writes a scan, or an exscan where it is not `inclusive`, in two phases over a binary tree in rank order (Blelloch
/// 1990): sums of subtrees go up, and what precedes each subtree comes down, segment by segment, so that both phases
/// are under way at the same time (Sanders and Traeff 2006). Sums that no later rank needs are not sent.
void scan_over_binary_tree(const Request& request, const Parameters& parameters, Rank rank, bool inclusive,
                           ScheduleWriter& writer);

}  // namespace tombolo
