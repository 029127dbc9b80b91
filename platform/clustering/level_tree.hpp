#pragma once

#include <span>
#include <string>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>

namespace tombolo {

/// Returns the common prefix of these hosts' names that no other host's name has, without the number and the
/// punctuation at its end: "c1" for c1-0 and c1-12, "node" for node7. Empty if there is no such prefix. A number is
/// never divided: c21-0 does not begin with c2. `members`: indices into `hosts`, the names of all hosts.
std::string common_name(std::span<const std::string> hosts, const std::vector<int>& members);

/// Returns the levels of a whole platform: the groups, inside them the logical clusters, inside them `hosts`, indexed
/// as in the groups. A name is, in this order: the stated one; "platform" for a platform of several clusters; the
/// prefix common to the names of the hosts inside and to no others ("c1" for c1-0 to c1-19); "cluster 1", "site 1",
/// .... Names of groups and clusters are unique. Latencies and rates of groups and clusters are left unset.
Level level_tree(const HostGroup& groups, std::span<const Level> hosts);

}  // namespace tombolo
