#pragma once

#include <set>
#include <utility>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>

namespace tombolo {

/// Pairs of clusters, by number: those of a round are measured at the same time.
using LinkRounds = std::vector<std::vector<std::pair<int, int>>>;

/// Returns a measurement schedule for pairs of clusters. The pairs of a round are disjoint and belong to different
/// pairs of outer groups, since clusters of one group may share the group's link to the others. Every pair of clusters
/// is in exactly one round.
LinkRounds link_rounds(const HostGroup& groups);
/// Returns such a schedule in two parts. The first one has one pair of every two children of a group, of the clusters
/// with the highest of these rates (by cluster), as most of the other pairs share its way.
std::pair<LinkRounds, LinkRounds> rounds_by_group(const HostGroup& groups, const std::vector<BytesPerSecond>& rates);

/// Returns for every pair of clusters, as numbered by link_index(), the fastest pair of the same two children of a
/// group if the rate of its own is not known (0); itself otherwise, and where no such pair is known.
std::vector<std::size_t> stand_ins(const HostGroup& groups, const std::vector<BytesPerSecond>& rates);

/// Returns the hosts of each logical cluster, in depth-first order.
std::vector<std::vector<int>> cluster_hosts(const HostGroup& groups);

/// Returns additional landmarks, when latencies are measured only between all hosts and a few landmarks and `groups`
/// were found from these latencies. Every cluster needs two landmarks for the latency between its hosts. A host whose
/// latencies to the landmarks of its cluster differ from those of each of these landmarks by more than `bound` may
/// belong to a cluster without a landmark. Within a cluster, hosts are taken in the order of `candidates`, a list of
/// all hosts. Empty if no landmark is missing.
std::vector<int> missing_landmarks(const HostGroup& groups, const Latencies& latencies, const std::set<int>& landmarks,
                                   const std::vector<int>& candidates, double bound);

}  // namespace tombolo
