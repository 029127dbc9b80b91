#pragma once

#include <string>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// Striped trees for many clusters, with equal shares of the vector. Within a cluster all trees have one topology, over
/// the ranks of the cluster in an order that is rotated from tree to tree: in as many trees as ranks each rank takes
/// each place once, so that all ranks send equally much whatever the topology. Between the outermost groups a tree is
/// flat: one group, the hub, serves all others; so are the trees inside groups of groups. Hubs are the groups without
/// the root, in turn, in proportion to their ranks, unless all trees are to leave from the root's.
struct RotatedTrees {
  int trees = 1;
  TreeTopology inside;
  /// The number of ranks of a hub that serve other groups, equally many each: the first ones with the message. With
  /// one, messages to other groups leave first; with several, a hub's part of its tree does not take much longer than
  /// those of other groups.
  int senders = 1;
  /// The hub is the root's group wherever that has other ranks: one link between groups less in a row, where its ranks
  /// can send to all groups.
  bool from_root = false;
};

/// Returns the trees from `root`, which sends each share to one rank only: the first of the hub, which serves the
/// root's group too. Without a root (`nobody`) the hubs' first ranks are the roots of their trees. Throws Error for
/// fewer than one tree.
MappedTrees rotated_trees(const std::string& name, const Hierarchy& hierarchy, Rank root, const RotatedTrees& how);

}  // namespace tombolo
