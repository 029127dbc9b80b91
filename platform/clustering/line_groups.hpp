#pragma once

#include <optional>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A line between two sets of hosts that together are all: every message from one set to the other goes through it, and
/// no other one does.
struct SharedLine {
  std::vector<int> side;    ///< the hosts of one of the sets, ascending
  BytesPerSecond rate = 0;  ///< that its messages share, each way
};

/// Makes groups of the clusters on either side of each line, the thinnest lines first, so that the line is the uplink
/// of a group: four sites in a row become two groups of two. Groups that there are stay, and what would cross one of
/// them is left out, as is a side that splits a cluster, or has a single one or all of a group.
void group_at_lines(HostGroup& groups, const std::vector<SharedLine>& lines);

/// Guesses from rates where a line may be that several pairs of clusters share: between two sets of two clusters or
/// more whose links inside are all joined by rates clearly above the best one across. `rates`: of links, as numbered by
/// link_index(), B/s; no guess if one may be unknown (0).
std::optional<SharedLine> likely_line(const std::vector<std::vector<int>>& clusters,
                                      const std::vector<BytesPerSecond>& rates);

}  // namespace tombolo
