#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/collectives/mapping/cluster_links.hpp>
#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>

namespace tombolo {

/// The first outermost group of each striped tree, the hub, which serves the other groups.
enum class Hubs {
  root,    ///< the root's group serves all others
  others,  ///< each other group in turn serves the rest, so that every long link is used
  none     ///< no hub: the relays are the roots of their groups' trees, for exchanges among roots
};

/// Returns striped trees for large vectors. Relays differ from tree to tree, so that the links of all ranks of a
/// cluster take part and every byte crosses to each cluster once. The root sends a share to a relay
/// of its own cluster, which forwards to one relay of each other group, or to a relay of the hub, which forwards to the
/// other groups. Relays serve their own clusters. Without a root (`nobody`), all ranks are roots in turn; without hubs
/// (Hubs::none) there is no root.
///
/// The weight of a tree is the rate of its slowest relay, scaled to 1 to 16 so that shares soon repeat. `rates` is by
/// rank, in any unit; empty: equal weights.
MappedTrees relay_trees(const std::string& name, const Hierarchy& hierarchy, Rank root, int trees, Hubs hubs,
                        const std::vector<std::int64_t>& rates);

/// Returns striped trees of equal weights that share out the links between clusters, for large vectors over uneven
/// links: a tree spans the clusters over the links by which its share arrives first, after those of earlier trees have
/// passed the same links, uplinks and lines. So thick links carry many trees and thin ones few, and few shares pass
/// what several clusters have in common more than once. A greedy packing of spanning trees; the most that any packing
/// carries is bounded by its cuts (Nash-Williams 1961, Tutte 1961). With a root all trees begin at its cluster, without
/// one
/// (`nobody`) each at its centre by latency, and data go both ways. `hierarchy` has all its clusters right below the
/// whole (Hierarchy::of_clusters()), at least two, the same as `links`; `bytes` is the vector. Time: trees times the
/// cube of the clusters.
MappedTrees link_sharing_trees(const std::string& name, const Hierarchy& hierarchy, const ClusterLinks& links,
                               Rank root, int trees, Bytes bytes);

/// Returns the number of striped trees, from `least` to `most`, with the least load of the busiest rank of any cluster;
/// the largest among equals.
int balanced_trees(const Hierarchy& hierarchy, Rank root, int least, int most);

}  // namespace tombolo
