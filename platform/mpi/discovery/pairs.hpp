#pragma once

#include <cstddef>
#include <vector>

#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// One message between two hosts.
struct PairRate {
  int a = 0;
  int b = 0;
  Measured rate;          ///< B/s
  Picoseconds fixed = 0;  ///< as of LargeMessage
};

/// Measures the hosts of each cluster in disjoint pairs, round after round, all clusters concurrently; the pairs of a
/// round at once, or divided into as many turns as the cluster has, one turn after the other. No pairs of a cluster
/// without turns. On rank 0 only. Collective.
std::vector<PairRate> measure_pairs(Team& team, const std::vector<std::vector<int>>& clusters,
                                    const std::vector<int>& turns);

/// The number of these rounds: each host meets every other of its cluster, or some of them where there are many.
std::size_t port_rounds(const std::vector<std::vector<int>>& clusters);

/// Measures rates under load: all hosts of all clusters exchange large messages concurrently, in pairs, round after
/// round. Links shared by pairs lower their rates. On rank 0 only. Collective.
std::vector<LoadedPair> measure_load(Team& team, const std::vector<std::vector<int>>& clusters);

}  // namespace tombolo::discovery
