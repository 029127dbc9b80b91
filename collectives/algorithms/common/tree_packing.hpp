#pragma once

#include <string_view>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
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

/// Returns the algorithm over packing_size() trees.
template <WriteOverTrees write>
consteval Algorithm over_packing(Operation operation, std::string_view summary, bool needs_commutative) {
  return {.name = "disjoint_trees",
          .operation = operation,
          .summary = summary,
          .write = [](const Request& request, const Parameters& parameters, Rank rank,
                      ScheduleWriter& writer) { write(packing_size(parameters), request, parameters, rank, writer); },
          .uses = {Parameter::segment_bytes},
          .period = [](const Request&, const Parameters& parameters) { return packing_size(parameters); },
          .radix = packing_radix,
          .needs_commutative = needs_commutative};
}

/// Returns the algorithm over as many trees as ranks, or one fewer with a root above them.
template <WriteOverTrees write>
consteval Algorithm over_relays(Operation operation, std::string_view summary, bool needs_commutative) {
  return {.name = "relays",
          .operation = operation,
          .summary = summary,
          .write = [](const Request& request, const Parameters& parameters, Rank rank,
                      ScheduleWriter& writer) { write(request.ranks, request, parameters, rank, writer); },
          .uses = {Parameter::segment_bytes, Parameter::rates},
          .period = [](const Request& request,
                       const Parameters&) { return request.ranks - (is_rooted(request.operation) ? 1 : 0); },
          .needs_commutative = needs_commutative};
}

/// Returns the routes of a vector of request.count elements. With one tree per rank the shares are in proportion to
/// Parameters::rates. Without a root above, every rank then begins with a different tree, the nearest one in the ring,
/// so that no rank is the first target of all.
TreeRoutes routes_over_packing(const TreePacking& packing, const Request& request, const Parameters& parameters,
                               Rank rank, Direction direction);

}  // namespace tombolo
