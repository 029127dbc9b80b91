#pragma once

#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/rate.hpp>

namespace tombolo::discovery {

/// What messages between two clusters get through.
struct LinkRates {
  LargeMessage one;  ///< from the first host of one to the first of the other
  Measured total;    ///< `flows` at the same time, between different hosts; B/s
  int flows = 0;     ///< 0: not measured
};

/// How links are measured.
struct LinkOptions {
  bool apart = false;                      ///< a round begins when the one before is over
  bool one_flow = false;                   ///< one message at a time only
  std::vector<BytesPerSecond> ports = {};  ///< what each host can send and receive, by host; 0, or none, where unknown
};

/// Measures the pairs of clusters round by round, pairs of a round at the same time: first one message at a time
/// between the first hosts of both, which should be their fastest, then from as many hosts as both have. By pair, as
/// link_index() numbers them, on all ranks; without those that there was no time for. All arguments are the same
/// on all ranks. Collective.
std::vector<LinkRates> measure_links(Team& team, const std::vector<std::vector<int>>& clusters,
                                     const std::vector<std::vector<std::pair<int, int>>>& rounds,
                                     const LinkOptions& options);

/// A group of hosts with others outside, clusters by their numbers; without clusters it is not measured.
struct Uplink {
  std::vector<int> inside;   ///< clusters
  std::vector<int> outside;  ///< clusters
};

/// What leaves groups, as far as that is limited.
struct Uplinks {
  std::vector<Measured> totals;  ///< by group
  int left_out = 0;              ///< groups that there was no time for
};

/// For each of these groups, what leaves it when all its hosts, or its only one, send to different hosts outside at the
/// same time, where that is less by more than `bound` than the links between the clusters and the hosts' own rates
/// account for; {0, 0} where it is not, or could not be measured in time. On rank 0 only. Collective.
Uplinks measure_uplinks(Team& team, const std::vector<std::vector<int>>& clusters, const std::vector<LinkRates>& links,
                        const std::vector<Uplink>& groups, double bound);

}  // namespace tombolo::discovery
