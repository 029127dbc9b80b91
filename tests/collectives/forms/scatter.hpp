#pragma once

#include "collectives/forms/plogp.hpp"

namespace tombolo::forms {

/// The three scatters of Table 2 of Barchet-Estefanel and Mounié (2004), blocks of `bytes` each; gathers are their
/// mirrors. No time for one rank.

/// (P - 1) g(m) + L.
Picoseconds flat_scatter(const Plogp& plogp, int ranks, Bytes bytes);

/// The sum over j = 1 .. P - 1 of g(j m), and (P - 1) L.
Picoseconds chain_scatter(const Plogp& plogp, int ranks, Bytes bytes);

/// The sum over j = 0 .. ceil(lg P) - 1 of g(2^j m), and ceil(lg P) L. Exact for powers of two, else an upper bound: it
/// counts blocks that are not there.
Picoseconds binomial_scatter(const Plogp& plogp, int ranks, Bytes bytes);

}  // namespace tombolo::forms
