#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/forest.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>
#include <tombolo/collectives/mapping/served.hpp>

namespace tombolo {

/// The ranks of a group as relays of one tree after another: in each tree another one takes what comes for the group
/// and sees that all have it. In a group of groups it stands in another of these from tree to tree, as often as they
/// have ranks, or where the root is, and passes it on to one relay of each other. In a cluster the trees are those of a
/// forest (forest.hpp), in which every rank serves others in about as many trees as every other.
class RelayGroup {
 public:
  /// The root, if it is inside, relays only where it is alone. So many trees there are in all.
  RelayGroup(const Landscape::Group& group, Rank root, int trees);

  /// Who takes what comes for the group.
  Rank relay(int tree) const;
  /// Writes how it goes on from there; through that child first which is so many further on than the relay's own.
  void serve(int tree, Served& served, std::size_t detour = 0) const;
  /// One after the other, the relays of all clusters inside.
  void add_relays(int tree, std::vector<Rank>& relays) const;

  const std::vector<RelayGroup>& children() const { return children_; }

 private:
  std::size_t entry(int tree) const;

  Rank root_;
  int trees_;
  int size_;
  bool has_root_;
  std::vector<RelayGroup> children_;
  std::vector<Rank> members_;     // of a cluster, without the root
  std::optional<Forest> forest_;  // over the members, if there are any
};

}  // namespace tombolo
