#pragma once

#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/flows.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

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
  bool if_faster = false;  ///< links whose message takes as long as the rough figures say are not measured again
};

/// Measures the pairs of clusters round by round, the pairs of a round concurrently: first one message at a time
/// between the first hosts of both, which should be their fastest, then as many flows as the smaller cluster has hosts,
/// and as its first host can send beside to others of the larger, at most `most_flows`. Returns the rates by pair, as
/// numbered by link_index(), on all ranks; pairs skipped for lack of time stay empty. All arguments are the same on all
/// ranks. Collective.
std::vector<LinkRates> measure_links(Team& team, const std::vector<std::vector<int>>& clusters,
                                     const std::vector<std::vector<std::pair<int, int>>>& rounds,
                                     const LinkOptions& options);

/// Returns true if one message over a link gets, but for `bound`, what its slower host can send, whose rate is this.
bool is_filled_by_hosts(const LinkRates& link, BytesPerSecond slower, double bound);

}  // namespace tombolo::discovery
