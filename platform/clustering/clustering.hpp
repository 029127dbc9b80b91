#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tombolo/platform/clustering/latencies.hpp>

namespace tombolo {

/// A group of nearby hosts, and the groups inside it. Hosts are numbered as in Latencies.
struct HostGroup {
  std::string name;               ///< stated by the user; empty if the group was found from measurements
  std::vector<int> hosts;         ///< all of them, ascending
  std::vector<HostGroup> groups;  ///< in the order of their first hosts; empty for a logical cluster
  bool operator==(const HostGroup&) const = default;
};

/// A group of hosts as a range of the clusters, which are numbered in depth-first order.
struct GroupSpan {
  const HostGroup* group = nullptr;
  int first = 0;
  int end = 0;
  std::vector<std::size_t> children =
      {};                            ///< numbers of the groups inside, in depth-first order, the outermost being 0
  std::vector<int> child_ends = {};  ///< behind the last cluster of each

  bool holds(int cluster) const { return cluster >= first && cluster < end; }
};

/// Returns every group in depth-first order, clusters included. `groups` must outlive the result.
std::vector<GroupSpan> spans_of(const HostGroup& groups);

/// The levels stated by the user for each host, from the outermost inwards: {"orsay"}, {"grenoble", "c21"}; empty if
/// nothing is stated.
using StatedLevels = std::vector<std::vector<std::string>>;

/// Partitions hosts into logical clusters, and clusters into groups of clusters, level by level.
///
/// Hosts form a cluster if their incident links agree within `bound`, or within the processor overhead of a message
/// (adaptive framework paper, section 3.3.2). Hosts whose links differ only by a constant of each host form a cluster,
/// too. Clusters form a group of the next level if they are nearer to each other than to all others and their links to
/// the others agree within the bound. Stated levels are taken as given; measurements decide only inside the innermost
/// stated groups. `bound`: relative; the paper uses 0.2. Throws Error if `bound` is not positive.
HostGroup find_clusters(const Latencies& latencies, const StatedLevels& stated = {}, double bound = 0.2);

}  // namespace tombolo
