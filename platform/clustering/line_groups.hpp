#pragma once

#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A line between two sets of hosts that together are all: every message from one set to the other goes through it, and
/// no other one does.
struct Line {
  std::vector<int> side;    ///< the hosts of one of the sets, ascending
  BytesPerSecond rate = 0;  ///< that its messages share, each way
};

/// Makes groups of the clusters on either side of each line, the thinnest lines first, so that the line is the uplink
/// of a group: four sites in a row become two groups of two. Groups that there are stay, and what would cross one of
/// them is left out, as is a side that splits a cluster, or has a single one or all of a group.
void group_at_lines(HostGroup& groups, const std::vector<Line>& lines);

}  // namespace tombolo
