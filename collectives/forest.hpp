#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

/// Several trees that share out one vector, so that no rank sends much more than the vector once however many children
/// the trees have: every rank is an inner place of one tree at most and a leaf of all others. Two trees are the double
/// tree of Sanders, Speck and Traeff (2009); as many as there are ranks have one inner place each, a relay that serves
/// all others; one is a chain.
///
/// All are the same tree, drawn breadth first: inner places come first, each with about as many children as there are
/// trees. From one tree to the next the ranks move on by its inner places. So a tree takes no memory.
class Forest {
 public:
  enum class Root {
    above,  ///< the request's root stands above every tree and in none
    none    ///< all ranks stand in every tree, and each tree has another one at its top
  };

  /// As many trees as that, and no more than have inner places of their own.
  Forest(const Request& request, const Parameters& parameters, Root root, int trees);

  int trees() const { return trees_; }
  Role role(int tree, Rank rank, Direction direction) const;
  /// The rank at the top of a tree, below a root.
  Rank top(int tree) const;

 private:
  friend TreeRoutes routes_over_forest(const Forest& forest, const Request& request, const Parameters& parameters,
                                       Rank rank, Direction direction);
  Rank rank_at(int tree, int slot) const;
  int slot_of(int tree, Rank rank) const;
  bool are_relays() const { return trees_ == size_; }

  Places places_;
  int above_;  // 1 where a root stands above the trees, else 0
  int size_;   // of a tree
  int trees_;
  int inner_;  // places of a tree with children
};

constexpr int forest_radix = 3;  ///< trees where Parameters::radix is 0

inline int forest_size(const Parameters& parameters) {
  return parameters.radix > 0 ? parameters.radix : forest_radix;
}

/// A part of a vector and the tree that carries it.
struct Share {
  std::int64_t offset = 0;  ///< elements
  std::int64_t count = 0;
  int tree = 0;
  int turn = 0;  ///< how many the tree was given before
  bool operator==(const Share&) const = default;
};

/// Shares a vector out among trees in proportion to their weights, more than 0 each. In segments, each goes to the tree
/// that is furthest behind; whole, where segment_bytes is 0, each tree gets one part.
std::vector<Share> shared_out(std::int64_t count, Bytes element_bytes, Bytes segment_bytes,
                              const std::vector<std::int64_t>& weights);

/// The routes of shares, in their order, given the role of the rank in each of the trees. Only trees that carry
/// something are looked at.
TreeRoutes routes_of(const std::vector<Share>& shares, int trees, const std::function<Role(int tree)>& role);

/// The routes of a vector of request.count elements. Where there are relays, they share it in proportion to
/// Parameters::rates. Without a root every rank begins with another relay, the next one, so that none is everybody's
/// first.
TreeRoutes routes_over_forest(const Forest& forest, const Request& request, const Parameters& parameters, Rank rank,
                              Direction direction);

}  // namespace tombolo
