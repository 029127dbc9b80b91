#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/measuring/host_rates.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures the hosts of each cluster in disjoint pairs, round after round, all clusters concurrently; the pairs of a
/// round at once, or divided into as many turns as the cluster has, one turn after the other. No pairs of a cluster
/// without turns. On rank 0 only. Collective.
std::vector<PairRate> measure_pairs(Team& team, const std::vector<std::vector<int>>& clusters,
                                    const std::vector<int>& turns);

/// Returns the cluster of each host, by host.
std::map<int, std::size_t> clusters_by_host(const std::vector<std::vector<int>>& clusters);

/// Returns the pairs inside each cluster.
std::vector<std::vector<PairRate>> pairs_by_cluster(const std::vector<PairRate>& pairs,
                                                    const std::vector<std::vector<int>>& clusters);

/// Measures hosts that only met partners which may have been slower, with fast ones (pairs_that_tell()). `inside`: the
/// pairs so far by cluster, on rank 0. On rank 0 only. Collective.
std::vector<PairRate> measure_with_fast_ones(Team& team, const std::vector<std::vector<PairRate>>& inside,
                                             const std::vector<std::vector<int>>& clusters, double bound);

/// The number of these rounds: each host meets every other of its cluster, or some of them where there are many.
std::size_t port_rounds(const std::vector<std::vector<int>>& clusters);

/// Measures rates under load: all hosts of all clusters exchange large messages concurrently, in pairs, round after
/// round. Links shared by pairs lower their rates. On rank 0 only. Collective.
std::vector<LoadedPair> measure_load(Team& team, const std::vector<std::vector<int>>& clusters);

}  // namespace tombolo::discovery
