#pragma once

#include <vector>

#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// The links between the clusters of a set of ranks, and the ways over further clusters that are worth taking.
class ClusterLinks {
 public:
  /// A way over further clusters, in order; empty: directly.
  struct Way {
    std::vector<int> over;
    std::vector<int> uses;        ///< resources, each once for every time that a byte passes it
    BytesPerSecond rate = 0;      ///< least rate of the resources; 0 if none is known
    Picoseconds latency = 0;      ///< sum over the hops, with the overheads of the processors
    Picoseconds longest_hop = 0;  ///< the largest latency of one hop
  };

  /// Rank r is members[r] of the platform. Clusters without members are left out and forward nothing.
  ClusterLinks(const Platform& platform, const std::vector<Rank>& members);

  int size() const { return static_cast<int>(clusters_.size()); }
  const Partition& clusters() const { return clusters_; }
  /// By cluster, a rank of each host whose card is not much slower than the fastest.
  const Partition& relays() const { return relays_; }
  int cluster_of(Rank rank) const { return cluster_of_[static_cast<std::size_t>(rank)]; }
  /// Rates of links, uplinks and all cards of a cluster together, each way, in B/s.
  const std::vector<BytesPerSecond>& rates() const { return rates_; }

  /// The direct way, and those over up to three other clusters whose rate, or whose latency, is better by half; at
  /// most 16.
  const std::vector<Way>& ways(int from, int to) const {
    return ways_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }
  /// True if some pair of clusters has more than the direct way.
  bool has_detours() const { return has_detours_; }

 private:
  void find_ways(int from, int to);

  Partition clusters_, relays_;
  std::vector<int> cluster_of_;                      // by rank
  std::vector<BytesPerSecond> rates_;                // by resource
  std::vector<std::vector<Way>> hops_;               // by cluster and cluster: the direct ways
  std::vector<std::vector<std::vector<Way>>> ways_;  // by cluster and cluster
  bool has_detours_ = false;
};

}  // namespace tombolo
