#pragma once

#include <limits>
#include <utility>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Concurrent large messages as (from, to). Every rank is in at most one flow, except the sender of the first, which
/// may send others, too.
using Flows = std::vector<std::pair<int, int>>;

/// Options of measure_flows.
struct FlowOptions {
  BytesPerSecond enough =
      std::numeric_limits<BytesPerSecond>::max();  ///< a total of at least this rate is measured once only
  /// Target duration of each message, 0: sizes unchanged. With unequal flows, some end while others have hardly begun,
  /// and each looks as if it were alone; hence sizes are adjusted until all take about this long.
  Picoseconds lasting = 0;
};

/// Returns the total rate of all flows, in B/s, on the sender of the first flow; {0, 0} on the others. That sender
/// gives the messages, one per flow; ranks in no flow return at once. Repeats until the total is precise.
Measured measure_flows(Team& team, const Flows& flows, std::vector<LargeMessage> messages, FlowOptions options = {});

/// The rates of messages between two clusters. Where the directions differ (differ_by_way), those of the slower one.
struct LinkRates {
  LargeMessage one;          ///< from the first host of one cluster to the first of the other
  Measured total;            ///< total rate of `flows` concurrent messages between different hosts; B/s
  int flows = 0;             ///< 0: not measured
  BytesPerSecond there = 0;  ///< the rate of one message from the first cluster to the second; 0 if not measured
  BytesPerSecond back = 0;   ///< of one message from the second cluster to the first; 0 if not measured
};

/// Options of measure_links.
struct LinkOptions {
  bool apart = false;                      ///< a round begins after the end of the previous one
  bool one_flow = false;                   ///< only one message at a time
  std::vector<BytesPerSecond> ports = {};  ///< send and receive rate by host; 0, or an empty list, if unknown
  std::vector<LinkRates> rough = {};  ///< by pair; a single message is not measured again if that is costly and precise
};

/// Measures the pairs of clusters round by round, the pairs of a round concurrently: first one message at a time
/// between the first hosts of both, which should be their fastest, then as many flows as the smaller cluster has hosts,
/// at most 32. Returns the rates by pair, as numbered by link_index(), on all ranks; pairs skipped for lack of time
/// stay empty. All arguments are the same on all ranks. Collective.
std::vector<LinkRates> measure_links(Team& team, const std::vector<std::vector<int>>& clusters,
                                     const std::vector<std::vector<std::pair<int, int>>>& rounds,
                                     const LinkOptions& options);

/// Returns the hosts of these clusters as (cluster, host), taken from them in turn, so that all links are used.
std::vector<std::pair<int, int>> dealt(const std::vector<int>& from, const std::vector<std::vector<int>>& clusters);

/// Returns the total rate that links alone explain for so many concurrent messages of each, by pair of clusters.
BytesPerSecond explained(const std::vector<LinkRates>& links, const std::vector<int>& flows_of);

/// Returns a message duration during most of which all messages are in transit, although their starts and ends differ
/// by latencies: so many times the fixed part of the longest.
Picoseconds long_enough(const std::vector<LargeMessage>& messages, Picoseconds latencies);

/// A group of hosts and the hosts outside it, as cluster numbers; not measured if either list is empty.
struct Uplink {
  std::vector<int> inside;   ///< clusters
  std::vector<int> outside;  ///< clusters
};

/// The limited rates out of groups.
struct Uplinks {
  std::vector<Measured> totals;  ///< by group
  int left_out = 0;              ///< groups skipped for lack of time
};

/// Measures, for each group, the total rate when all its hosts (or its only one) send to different hosts outside
/// concurrently. A total is entered only if it is lower, by more than `bound`, than the links between the clusters, the
/// hosts' own rates, the backbones of the clusters (by cluster, 0: none) and the uplinks of groups around it explain;
/// {0, 0} otherwise, and for groups skipped for lack of time. `groups` in depth-first order. On all ranks. Collective.
Uplinks measure_uplinks(Team& team, const std::vector<std::vector<int>>& clusters, const std::vector<LinkRates>& links,
                        const std::vector<Uplink>& groups, const std::vector<BytesPerSecond>& backbones, double bound);

/// Measures, for each group of clusters, the inner ones first, the total rate when half of the hosts of each child send
/// to other children. Where it is lower, by more than `bound`, than what was found so far explains, all share a
/// backbone of that rate. `uplinks` and `backbones` are by group in depth-first order, the outermost first, 0 where
/// there is none; adds to `backbones`, on all ranks. Returns how many groups were skipped for lack of time. Collective.
int measure_group_backbones(Team& team, const HostGroup& groups, const std::vector<std::vector<int>>& clusters,
                            const std::vector<LinkRates>& links, const std::vector<BytesPerSecond>& uplinks,
                            std::vector<Measured>& backbones, double bound);

}  // namespace tombolo::discovery
