#pragma once

#include <utility>
#include <vector>

#include <tombolo/platform/clustering.hpp>

namespace tombolo {

/// Pairs of clusters, by their numbers, in an order in which they can be measured: those of a round at the same time.
/// Pairs of a round are disjoint and between different pairs of outer groups, as clusters of one group may share the
/// group's link to the others. Every pair of clusters is in exactly one round.
std::vector<std::vector<std::pair<int, int>>> link_rounds(const HostGroup& groups);

/// The hosts of each logical cluster, in the order in which a walk through the groups meets them.
std::vector<std::vector<int>> cluster_hosts(const HostGroup& groups);

}  // namespace tombolo
