#pragma once

#include <functional>
#include <span>

#include <tombolo/units.hpp>

namespace tombolo::forms {

/// What a message takes: alpha_ij + beta_ij bytes in the heterogeneous Hockney model, whatever it is in others.
using PairTime = std::function<Picoseconds(Rank from, Rank to, Bytes bytes)>;

/// A binomial scatter on unlike links, blocks of `bytes` each: equations 1 and 2 of Lastovetsky and Rychkov (LMO
/// paper, section 3), for any number of ranks. `order` says which rank takes which place of the tree, the root the
/// first, as Parameters::order.
///
///     T(tree) = alpha_rs + beta_rs blocks(s's tree) M + max(T(what r keeps), T(s's tree))
///
/// where s is the one that r serves first. In a tree of 2^k places s's has 2^(k-1) blocks, as the paper writes.
Picoseconds binomial_scatter(const PairTime& time, std::span<const Rank> order, Bytes bytes);

/// The same from the leaves up, with messages from s to r. The paper has one form for both, for links that are alike in
/// both directions. An upper bound where they are unlike: r may receive the largest part before its others have come.
Picoseconds binomial_gather(const PairTime& time, std::span<const Rank> order, Bytes bytes);

/// log2(n) alpha + (n - 1) beta M: equation 3, which is equation 1 on equal links. n is a power of two.
Picoseconds binomial_scatter(Picoseconds latency, BytesPerSecond rate, int ranks, Bytes bytes);

}  // namespace tombolo::forms
