#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

/// Striped trees: several trees, each carrying a part of one vector, so that no rank sends much more than the vector
/// once for any number of children. Every rank is an inner node of at most one tree and a leaf of all others. Two trees
/// are the double tree of Sanders, Speck and Traeff (2009). With as many trees as ranks, each tree has one inner node,
/// which serves all other ranks. One tree is a chain.
///
/// All trees have the same topology, numbered breadth first: inner nodes come first, each with about as many children
/// as there are trees. From one tree to the next the ranks are rotated by ranks / trees, at least the number of inner
/// nodes, so trees need no storage.
class TreePacking {
 public:
  enum class Root {
    above,  ///< the request's root is the parent of every tree's root and a member of none
    none    ///< all ranks are in every tree; the trees have different roots
  };

  /// Packs `trees` trees, or fewer if there are not enough ranks for disjoint inner nodes.
  TreePacking(const Request& request, const Parameters& parameters, Root root, int trees);

  int trees() const { return trees_; }
  Role role(int tree, Rank rank, Direction direction) const;
  /// The root of a tree (below the request's root).
  Rank top(int tree) const;

 private:
  friend TreeRoutes routes_over_packing(const TreePacking& packing, const Request& request,
                                        const Parameters& parameters, Rank rank, Direction direction);
  Rank rank_at(int tree, int slot) const;
  int slot_of(int tree, Rank rank) const;
  bool are_relays() const { return trees_ == size_; }

  RankOrder places_;
  int above_;  // 1 with Root::above, else 0
  int size_;   // ranks of a tree
  int trees_;
  int inner_;  // inner nodes of a tree
};

constexpr int packing_radix = 3;  ///< number of trees if Parameters::radix is 0

inline int packing_size(const Parameters& parameters) {
  return parameters.radix_or(packing_radix);
}

/// Writes one rank's steps over at most so many trees.
using WriteOverTrees = void (*)(int trees, const Request& request, const Parameters& parameters, Rank rank,
                                ScheduleWriter& writer);

/// Algorithm::write and Algorithm::period over packing_size() trees.
template <WriteOverTrees write>
void write_over_packing(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write(packing_size(parameters), request, parameters, rank, writer);
}
inline int period_of_packing(const Request&, const Parameters& parameters) {
  return packing_size(parameters);
}

/// Algorithm::write over as many trees as ranks.
template <WriteOverTrees write>
void write_over_relays(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write(request.ranks, request, parameters, rank, writer);
}

/// A part of a vector, with the tree that carries it.
struct Share {
  std::int64_t offset = 0;  ///< elements
  std::int64_t count = 0;
  int tree = 0;
  int turn = 0;  ///< number of earlier shares of the tree
  bool operator==(const Share&) const = default;
};

/// Divides a vector among trees in proportion to their weights, which are positive. Each segment goes to the tree that
/// is furthest behind its share; with segment_bytes 0, each tree gets one part.
std::vector<Share> shared_out(std::int64_t count, Bytes element_bytes, Bytes segment_bytes,
                              const std::vector<std::int64_t>& weights);

/// Returns the routes of the shares, in their order, from the rank's role in each tree. `role` is called only for trees
/// with a share.
TreeRoutes routes_of(const std::vector<Share>& shares, int trees, const std::function<Role(int tree)>& role);

/// Returns the routes of a vector of request.count elements. With one tree per rank the shares are in proportion to
/// Parameters::rates. Without a root above, every rank then begins with a different tree, the nearest one in the ring,
/// so that no rank is the first target of all.
TreeRoutes routes_over_packing(const TreePacking& packing, const Request& request, const Parameters& parameters,
                               Rank rank, Direction direction);

}  // namespace tombolo
