#pragma once

#include <string>
#include <vector>

#include <tombolo/platform/latencies.hpp>

namespace tombolo {

/// Hosts that are near to each other, and the groups inside; hosts by their numbers in the Latencies.
struct HostGroup {
  std::string name;               ///< that a user stated; empty where the group was found by measuring
  std::vector<int> hosts;         ///< all of them, ascending
  std::vector<HostGroup> groups;  ///< in the order of their first hosts; none in a logical cluster
  bool operator==(const HostGroup&) const = default;
};

/// Levels that a user states for each host, from the outermost inwards: {"orsay"}, {"grenoble", "c21"}; none where
/// nothing is stated.
using StatedLevels = std::vector<std::vector<std::string>>;

/// Partitions hosts into logical clusters, and these into groups of clusters, level by level.
///
/// Hosts whose incident links agree within `bound`, or within what a message takes a processor, form a cluster
/// (adaptive framework paper, section 3.3.2). Hosts whose links differ only by what each host adds itself are one
/// cluster too. Clusters which are nearer to each other than to all others, and whose links to the others agree within
/// the bound, form a group of the next level. What is stated is taken as it is; measurements decide inside the
/// innermost stated groups, and above them nothing. `bound`: relative, 0.2 is the paper's. Throws Error for one that is
/// not positive.
HostGroup find_clusters(const Latencies& latencies, const StatedLevels& stated = {}, double bound = 0.2);

}  // namespace tombolo
