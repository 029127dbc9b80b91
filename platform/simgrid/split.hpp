#pragma once

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>

namespace tombolo::simgrid {

/// Splits each cluster whose hosts are as near to each other as latencies tell, but behind different links that they
/// share with others: five switches, each with one uplink, are five clusters of a group. A cluster where that would
/// leave nothing but single hosts stays as it is.
void split_at_uplinks(HostGroup& group, Fabric& fabric, const Sharing& sharing);

/// Calls the groups and clusters that hold exactly the hosts of a zone by the zone's name.
void name_by_zones(HostGroup& group, const Fabric& fabric);

/// The clusters, in the order in which a walk through the groups meets them.
std::vector<const HostGroup*> clusters_of(const HostGroup& group);

}  // namespace tombolo::simgrid
