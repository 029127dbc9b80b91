#pragma once

#include "collectives/forms/plogp.hpp"

namespace tombolo::forms {

/// Between which times a total exchange lies, blocks of `bytes` each for so many ranks: Table 3 of Barchet-Estefanel
/// and Mounié (2004).
struct AlltoallBounds {
  Picoseconds lower = 0;  ///< (P - 1) os(m) + (P - 1) or(m) + L: the processors are what is busy
  Picoseconds upper = 0;  ///< (P - 1) g(m) + (P - 1) or(m) + L: the links let one message through at a time

  /// lower + (upper - lower) gamma. The paper's network has gamma = 2/5, that is 400 000.
  Picoseconds at(Millionths gamma) const { return plus(lower, scaled(upper - lower, gamma, one_in_millionths)); }
};

AlltoallBounds alltoall_bounds(const Plogp& plogp, int ranks, Bytes bytes);

}  // namespace tombolo::forms
