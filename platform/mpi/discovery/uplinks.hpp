#pragma once

#include <utility>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>

namespace tombolo::discovery {

/// Returns the hosts of these clusters as (cluster, host), taken from them in turn, so that all links are used.
std::vector<std::pair<int, int>> dealt(const std::vector<int>& from, const std::vector<std::vector<int>>& clusters);

/// Returns the total rate that links and the lines that they share explain for so many concurrent messages of each
/// link, by pair of clusters.
BytesPerSecond explained(const std::vector<LinkRates>& links, const std::vector<SharedLine>& lines, int clusters,
                         const std::vector<int>& flows_of);

/// A group of hosts and the hosts outside it, as cluster numbers; not measured if either list is empty.
struct Uplink {
  std::vector<int> inside;   ///< clusters
  std::vector<int> outside;  ///< clusters
  bool by_all = true;        ///< by all hosts inside, or by two messages over the fastest links to two clusters
  bool in_any_case = false;  ///< however little time is left
};

/// The limited rates out of groups.
struct Uplinks {
  std::vector<Measured> totals;  ///< by group
  int left_out = 0;              ///< groups skipped for lack of time
};

/// Measures, for each group, the total rate when all its hosts (or its only one) send to different hosts outside
/// concurrently. A total is entered only if it is lower, by more than `bound`, than the links between the clusters,
/// lines, the hosts' own rates, the backbones of the clusters (by cluster, 0: none) and the uplinks of groups around it
/// explain; {0, 0} otherwise, and for groups skipped for lack of time. `groups` in depth-first order. On all ranks.
/// Collective.
Uplinks measure_uplinks(Team& team, const std::vector<std::vector<int>>& clusters, const std::vector<LinkRates>& links,
                        const std::vector<SharedLine>& lines, const std::vector<Uplink>& groups,
                        const std::vector<BytesPerSecond>& backbones, double bound);

/// Measures, for each group of clusters, the inner ones first, the total rate when half of the hosts of each child send
/// to other children. Where it is lower, by more than `bound`, than what was found so far explains, all share a
/// backbone of that rate. `uplinks` and `backbones` are by group in depth-first order, the outermost first, 0 where
/// there is none; adds to `backbones`, on all ranks. Returns how many groups were skipped for lack of time. Collective.
int measure_group_backbones(Team& team, const HostGroup& groups, const std::vector<std::vector<int>>& clusters,
                            const std::vector<LinkRates>& links, const std::vector<SharedLine>& lines,
                            const std::vector<BytesPerSecond>& uplinks, std::vector<Measured>& backbones, double bound);

/// Returns the groups and clusters whose way out is to be measured, and empty ones in place of the others, by group. In
/// a hurry, of single clusters only that of rank 0 is, where most data begins and ends, and those whose hosts have
/// filled a link together: several links may be one.
std::vector<Uplink> ways_out(const HostGroup& groups, const std::vector<LinkRates>& links,
                             const std::vector<std::vector<int>>& clusters, bool quick, double bound);

/// Gives clusters whose way out there was no time for what their links tell of it, which is no figure to rely on.
void guess_ways_out(const HostGroup& groups, const std::vector<LinkRates>& links,
                    const std::vector<std::vector<int>>& clusters, const std::vector<BytesPerSecond>& ports,
                    double bound, std::vector<Measured>& uplinks);

}  // namespace tombolo::discovery
