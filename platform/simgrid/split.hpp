#pragma once

#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/line_groups.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>

namespace tombolo::simgrid {

/// Splits each cluster that latencies cannot divide but whose hosts are behind different shared links: five switches
/// with one uplink each become five clusters of a group. A cluster that would fall apart into single hosts stays whole.
void split_at_uplinks(HostGroup& group, const Fabric& fabric, const Sharing& sharing);

/// Returns the contended wires that all messages between two sets of hosts use, and no others.
std::vector<DividingLine> lines_between(const Fabric& fabric, const Sharing& sharing);

/// Names each group or cluster after the zone that has exactly its hosts.
void name_by_zones(HostGroup& group, const Fabric& fabric);

/// Returns the clusters in depth-first order.
std::vector<const HostGroup*> clusters_of(const HostGroup& group);

}  // namespace tombolo::simgrid
