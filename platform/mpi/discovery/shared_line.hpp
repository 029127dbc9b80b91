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

/// Measures links once more, one after the other, that are slower than the way over a third cluster by more than
/// `bound`: links that were measured at the same time may share lines. Begins with a few and goes on while links turn
/// out faster, for as long as `more` even if the time is over. Returns true if one did. `clusters`: hosts, the fastest
/// first; `ports`: rates of hosts. Collective.
bool measure_again_alone(Team& team, const std::vector<std::vector<int>>& clusters, std::vector<LinkRates>& links,
                         const std::vector<BytesPerSecond>& ports, double bound, Picoseconds more);

/// Looks for lines that links share; in a hurry also for those that are all the way out of a group, which
/// measure_uplinks() finds if there is time. Where links may share one (likely_lines()), messages over links of
/// different clusters are sent at the same time. If they get no more together than one of them, by more than `bound`,
/// all these links share a line. Collective.
std::vector<SharedLine> measure_lines(Team& team, const HostGroup& groups,
                                      const std::vector<std::vector<int>>& clusters,
                                      const std::vector<LinkRates>& links, const std::vector<BytesPerSecond>& ports,
                                      double bound);

/// Measures the links over the line one after the other, as those that were measured at the same time were in each
/// other's way, and then many messages over all of them. Returns true if these get less together, by more than `bound`,
/// than each cluster would alone. `clusters`: hosts, the fastest first; `backbones`: of clusters. Collective.
bool is_shared(Team& team, const LineGuess& line, const std::vector<std::vector<int>>& clusters,
               std::vector<LinkRates>& links, const std::vector<BytesPerSecond>& ports,
               const std::vector<BytesPerSecond>& backbones, double bound);

}  // namespace tombolo::discovery
