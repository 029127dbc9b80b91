#pragma once

#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

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
