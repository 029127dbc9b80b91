#pragma once

#include "collectives/forms/plogp.hpp"

namespace tombolo::forms {

/// The ten broadcasts of Table 1 of Barchet-Estefanel and Mounié (2004), among them the four of Table 3 of the adaptive
/// framework: flat, chain and binomial trees plain, with_rendezvous() and in segments; binary trees. `segments` pieces
/// of `bytes` each go to all of so many ranks; where there is one segment, that is the whole message. No time for one
/// rank.

/// (P - 1) g(s) k + L. The root sends each segment to every rank.
Picoseconds flat_broadcast(const Plogp& plogp, int ranks, Bytes bytes, int segments = 1);

/// (P - 1) (g(s) + L) + (k - 1) g(s); in segments it is the paper's pipeline.
Picoseconds chain_broadcast(const Plogp& plogp, int ranks, Bytes bytes, int segments = 1);

/// At most ceil(lg P) (2 g(m) + L). An upper bound: a place serves two others only where there are two.
Picoseconds binary_broadcast_bound(const Plogp& plogp, int ranks, Bytes bytes);

/// floor(lg P) k g(s) + ceil(lg P) L. Exact for powers of two. For other P the root sends ceil(lg P) times, so that
/// the form is up to one k g(s) short; it is never more than one L too long.
Picoseconds binomial_broadcast(const Plogp& plogp, int ranks, Bytes bytes, int segments = 1);

}  // namespace tombolo::forms
