#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A line between two sets of hosts that together are all: every message from one set to the other goes through it, and
/// no other one does.
struct DividingLine {
  std::vector<int> side;    ///< the hosts of one of the sets, ascending
  BytesPerSecond rate = 0;  ///< that its messages share, each way
};

/// Makes groups of the clusters on either side of each line, the thinnest lines first, so that the line is the uplink
/// of a group: four sites in a row become two groups of two. Groups that there are stay, and what would cross one of
/// them is left out, as is a side that splits a cluster, or has a single one or all of a group.
void group_at_lines(HostGroup& groups, const std::vector<DividingLine>& lines);

/// Guesses from rates where a line may be that several pairs of clusters share: between two sets of two clusters or
/// more whose links inside are all joined by rates clearly above the best one across. `rates`: of links, as numbered by
/// link_index(), B/s; no guess if one may be unknown (0).
std::optional<DividingLine> likely_line(const std::vector<std::vector<int>>& clusters,
                                        const std::vector<BytesPerSecond>& rates);

/// Returns the pairs of clusters, those with the lowest part first, between which a message gets less than over a third
/// cluster, by more than `bound`: their link is thin, or others were in its way when it was measured. `rates`: of
/// links, as numbered by link_index(), B/s; pairs of unknown rate (0) are left out.
std::vector<std::pair<int, int>> outrun_pairs(const std::vector<BytesPerSecond>& rates, int clusters, double bound);

/// Guesses from rates which pairs of clusters may share a line: those whose links get the same, within `bound`, where
/// these links are all between two sets of clusters, each of two or more; and those of unknown rate between the same
/// sets. A pair of known rate is in one line at most. `rates`: of links, as numbered by link_index(), B/s; 0 if
/// unknown.
std::vector<SharedLine> likely_lines(const std::vector<BytesPerSecond>& rates, int clusters, double bound);

}  // namespace tombolo
