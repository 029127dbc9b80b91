#pragma once

#include <optional>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/line_groups.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>

namespace tombolo::discovery {

/// The clusters on both sides of a line that they may share, by number, and the groups that there are if they do.
struct LineGuess {
  std::vector<int> here;
  std::vector<int> beyond;
  HostGroup groups;  ///< with a group on each side
};

/// Guesses a line from the links' rates (likely_line()): none if the groups say already what leaves a side of it.
std::optional<LineGuess> guess_line(const HostGroup& groups, const std::vector<LinkRates>& links);

/// Measures the links over the line one after the other, as those that were measured at the same time were in each
/// other's way, and then many messages over all of them. Returns true if these get less together, by more than `bound`,
/// than each cluster would alone. `clusters`: hosts, the fastest first; `backbones`: of clusters. Collective.
bool is_shared(Team& team, const LineGuess& line, const std::vector<std::vector<int>>& clusters,
               std::vector<LinkRates>& links, const std::vector<BytesPerSecond>& ports,
               const std::vector<BytesPerSecond>& backbones, double bound);

}  // namespace tombolo::discovery
