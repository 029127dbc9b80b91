#pragma once

#include <span>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/level.hpp>

namespace tombolo {

/// The levels of a whole platform: the groups, in them logical clusters, in them `hosts`, by the numbers that the
/// groups use. Names are those stated; else what the names of the hosts inside, and of no others, begin with ("c1" for
/// c1-0 to c1-19); else "cluster 1", "site 1", ...; a platform of several clusters is "platform". No two groups or
/// clusters have the same name. Latencies and rates of groups and clusters are not filled in.
Level level_tree(const HostGroup& groups, std::span<const Level> hosts);

}  // namespace tombolo
