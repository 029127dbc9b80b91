#pragma once

#include <functional>
#include <span>

#include <tombolo/units.hpp>

namespace tombolo::forms {

/// A cluster's part in a total exchange of two phases.
struct ClusterExchange {
  int ranks = 0;
  Picoseconds local = 0;  ///< of its first phase: the exchange inside it, and blocks for others regrouped
};

/// What a message of so many bytes takes from a rank of cluster a to one of cluster b.
using ClusterTime = std::function<Picoseconds(int a, int b, Bytes bytes)>;

/// A total exchange of blocks of `bytes` each in two phases, first inside the clusters, then between them: equation 6
/// of Steffenel, Martinasso and Trystram (2007),
///
///     max(T_C1, T_C2) + ceil(n2 / n1) (alpha_w + beta_w m n)     for n1 <= n2,
///
/// whose n, which it does not explain, is n1: in each step of section 7 every rank of the smaller cluster sends one of
/// the larger what all n1 ranks have for it, and receives as much.
///
/// Of more than two clusters: each pair exchanges so, and a rank sends to one cluster after the other. What counts is
/// the rank that is longest busy with that; to a cluster that is not larger than its own it sends one message. It takes
/// at least that much where ranks send one message at a time, and no more where clusters of equal size and distance
/// take turns, a with a + 1, then with a + 2, ...
Picoseconds grid_exchange(std::span<const ClusterExchange> clusters, const ClusterTime& time, Bytes bytes);

}  // namespace tombolo::forms
