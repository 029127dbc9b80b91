#pragma once

#include <utility>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>

namespace tombolo {

/// Returns a measurement schedule for pairs of clusters, by number: the pairs of a round are measured at the same time.
/// They are disjoint and belong to different pairs of outer groups, since clusters of one group may share the group's
/// link to the others. Every pair of clusters is in exactly one round.
std::vector<std::vector<std::pair<int, int>>> link_rounds(const HostGroup& groups);

/// Returns the hosts of each logical cluster, in depth-first order.
std::vector<std::vector<int>> cluster_hosts(const HostGroup& groups);

}  // namespace tombolo
