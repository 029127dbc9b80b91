#pragma once

#include <span>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/description/level.hpp>

namespace tombolo {

/// Returns the levels of a whole platform: the groups, inside them the logical clusters, inside them `hosts`, indexed
/// as in the groups. A name is, in this order: the stated one; "platform" for a platform of several clusters; the
/// prefix common to the names of the hosts inside and to no others ("c1" for c1-0 to c1-19); "cluster 1", "site 1",
/// .... Names of groups and clusters are unique. Latencies and rates of groups and clusters are left unset.
Level level_tree(const HostGroup& groups, std::span<const Level> hosts);

}  // namespace tombolo
