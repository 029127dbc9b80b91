#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// A subtree: the virtual rank at its root and the number of virtual ranks it covers, root included. They are
/// consecutive.
struct Subtree {
  int top = 0;
  int size = 0;
  int end() const { return top + size; }
  bool covers(int place) const { return top <= place && place < end(); }
  bool operator==(const Subtree&) const = default;
};

/// Tree topology: a rule that maps a subtree to the subtrees below its root, in the order of a broadcast's sends.
/// Every subtree covers consecutive virtual ranks, so one topology serves bcast, scatterv, gatherv and reduce (also
/// with operands in fixed order). A multilevel tree is a topology that splits at cluster borders first.
class TreeTopology {
 public:
  using Children = std::function<std::vector<Subtree>(Subtree)>;
  using Towards = std::function<Subtree(Subtree, int)>;

  /// From a function that returns the subtrees below the root of a subtree.
  template <class F>
    requires(std::is_invocable_r_v<std::vector<Subtree>, F, Subtree> && !std::same_as<std::decay_t<F>, TreeTopology>)
  TreeTopology(F children) : children_(std::move(children)) {}  // NOLINT(google-explicit-constructor)
  /// With a second function that finds the subtree that covers a virtual rank, for roots with many children or deep
  /// trees.
  TreeTopology(Children children, Towards towards) : children_(std::move(children)), towards_(std::move(towards)) {}

  std::vector<Subtree> children(Subtree whole) const { return children_(whole); }
  /// The subtree below the root of `whole` that covers virtual rank `place`.
  Subtree towards(Subtree whole, int place) const;

 private:
  Children children_;
  Towards towards_;
};

/// A tree topology applied to virtual ranks 0 to size - 1.
class Tree {
 public:
  struct Node {
    int parent = -1;  ///< -1 at the root
    Subtree subtree;
    std::vector<Subtree> children;  ///< in the order of a broadcast's sends
    /// The children by ascending virtual rank: together they follow the root without a gap.
    std::vector<Subtree> children_by_place() const;
  };

  Tree(TreeTopology shape, int size) : shape_(std::move(shape)), size_(size) {}
  int size() const { return size_; }
  /// Found by descent from the root, without building the whole tree.
  Node node(int place) const;

 private:
  TreeTopology shape_;
  int size_;
};

constexpr Rank nobody = -1;

/// Direction of data in a tree: down from parents to children (broadcast), up from children to parents (reduction).
enum class Direction { down, up };

/// Neighbours of one rank in one tree. Children are in the order of sends (down) or of combination (up).
struct Role {
  Rank parent = nobody;  ///< at the root
  std::vector<Rank> children{};
  bool operator==(const Role&) const = default;
};

/// Options of a tree family; 0: the family's default.
struct TreeOptions {
  int radix = 0;
  int delay = 0;
};

/// Maps options to a tree topology. The functions below are template arguments of the writers of tree algorithms.
using TreeFamily = TreeTopology (*)(const TreeOptions&);

constexpr int k_nomial_radix = 4;  ///< if TreeOptions::radix is 0
constexpr int k_ary_radix = 3;     ///< if TreeOptions::radix is 0
constexpr int postal_delay = 2;    ///< if TreeOptions::delay is 0

/// The root sends to every other virtual rank. Depth 1.
TreeTopology flat_tree(const TreeOptions& = {});
/// Each virtual rank sends to the next. Depth size - 1, one child each.
TreeTopology chain_tree(const TreeOptions& = {});
/// Two halves per node. Depth floor(log2(size)), at most two children each.
TreeTopology binary_tree(const TreeOptions& = {});
/// `radix` parts of equal size per node. Depth about log(size) to base radix.
TreeTopology k_ary_tree(const TreeOptions& options);
/// The root sends to the far half first, then to the far half of the rest, while each receiver does the same in its
/// part. Depth ceil(log2(size)).
TreeTopology binomial_tree(const TreeOptions& = {});
/// Splits into `radix` parts: the root sends to all but the nearest part, then splits the nearest again. Depth
/// ceil(log(size)) to base radix, radix - 1 children per level: fewer levels than binomial, more sends per virtual
/// rank.
TreeTopology k_nomial_tree(const TreeOptions& options);
/// Optimal broadcast tree of the postal model (Bar-Noy and Kipnis 1992, Karp et al. 1993): a virtual rank starts one
/// send per unit of time, and the receiver can forward the message `delay` units later. N(t) = N(t-1) + N(t-delay)
/// virtual ranks are reached in t units. Binomial for delay 1, flat for delay size - 1.
TreeTopology postal_tree(const TreeOptions& options);

}  // namespace tombolo
