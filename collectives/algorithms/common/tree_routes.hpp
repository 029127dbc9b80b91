#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// The routes of a segmented vector through one or several trees, for one rank: the rank's role in each segment's tree,
/// in the order of the segments.
struct TreeRoutes {
  struct Leg {
    std::int64_t offset = 0;  ///< elements
    std::int64_t count = 0;
    std::size_t role = 0;
  };
  std::vector<Role> roles;
  std::vector<Leg> legs;
  /// By peer: bytes in flight on the link in addition to Parameters::window.
  std::unordered_map<Rank, Bytes> long_links{};

  /// `long_links` of a peer in whole segments, at most 65,536; 0 for other peers and for unsegmented vectors.
  int further(Rank peer, Bytes segment_bytes) const;
};

/// The name and the parameters of the algorithms over a tree family.
struct FamilyFigures {
  std::string_view name;
  ParameterSet uses = {Parameter::segment_bytes};
  int radix = 0;
};
/// The families that algorithms follow, a row each. Specialisations, since function addresses cannot be compared in
/// constant expressions under the sanitizers.
template <TreeFamily family>
inline constexpr FamilyFigures tree_family{};
template <>
inline constexpr FamilyFigures tree_family<flat_tree>{"flat", {}};
template <>
inline constexpr FamilyFigures tree_family<binomial_tree>{"binomial"};
template <>
inline constexpr FamilyFigures tree_family<k_nomial_tree>{"k_nomial", {Parameter::segment_bytes}, k_nomial_radix};
template <>
inline constexpr FamilyFigures tree_family<postal_tree>{"postal", {Parameter::segment_bytes, Parameter::delay}};
template <>
inline constexpr FamilyFigures tree_family<binary_tree>{"binary"};
template <>
inline constexpr FamilyFigures tree_family<k_ary_tree>{"k_ary", {Parameter::segment_bytes}, k_ary_radix};
template <>
inline constexpr FamilyFigures tree_family<chain_tree>{"chain"};

/// Returns the algorithm of an operation with a root over a tree family.
template <TreeFamily family>
consteval Algorithm over_tree(Operation operation, std::string_view summary, Algorithm::Write write,
                              Algorithm::Write learn = nullptr) {
  constexpr FamilyFigures named = tree_family<family>;
  static_assert(!named.name.empty(), "the tree family has no row above");
  return {.name = named.name,
          .operation = operation,
          .summary = summary,
          .write = write,
          .shape = family,
          .learn = learn,
          .uses = named.uses,
          .radix = named.radix};
}

/// Algorithm::period of algorithms over mapped trees.
int period_of_trees(const Request& request, const Parameters& parameters);

/// Returns the algorithm of an operation over trees made for the platform, each with a share of the vector.
consteval Algorithm over_mapped(Operation operation, std::string_view summary, Algorithm::Write write,
                                bool needs_commutative) {
  return {.name = "mapped",
          .operation = operation,
          .summary = summary,
          .write = write,
          .uses = {Parameter::segment_bytes},
          .period = period_of_trees,
          .mapped = Mapped::trees,
          .needs_commutative = needs_commutative};
}

/// The role of the rank at a tree node. With Direction::up, children are in the order of virtual ranks.
Role role_of(const Tree::Node& node, const RankOrder& rank_order, Direction direction);

/// The routes of a vector of request.count elements through one tree. With Direction::up, children are in the order of
/// virtual ranks.
TreeRoutes routes_over_tree(const TreeTopology& shape, const RankOrder& rank_order, const Request& request,
                            const Parameters& parameters, Rank rank, Direction direction);

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

/// Returns Parameters::trees, or by default the binomial tree over virtual ranks (rank_order.hpp).
MappedTrees trees_or_binomial(const Request& request, const Parameters& parameters);

/// Returns Parameters::trees for algorithms with leaders, the roots of one tree. By default about sqrt(ranks) binomial
/// trees of as many consecutive virtual ranks each.
MappedTrees leaders_or_default(const Request& request, const Parameters& parameters);
/// Default radix among leaders: up to 16 leaders exchange directly, since a round over long links costs more than
/// messages.
constexpr int leaders_radix = 16;

/// Returns Parameters::groups, or by default the groups below the roots of leaders_or_default().
NestedGroups groups_or_default(const Request& request, const Parameters& parameters);

/// The shares of the trees in a vector of request.count elements.
std::vector<Share> shares_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters);

/// The routes of the vector through the trees: one leg per share.
TreeRoutes routes_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters, Rank rank,
                             Direction direction);

}  // namespace tombolo
