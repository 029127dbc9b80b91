#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/topology/tree.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The cost of a candidate rank at the top of a subtree below the rank `parent`.
using PlaceCost = std::function<Picoseconds(Rank parent, Subtree subtree, Rank candidate)>;

enum class Mapping {
  good,      ///< the least cost at every choice
  pessimal,  ///< the largest cost at every choice: a baseline for the gain of mapping
  in_order   ///< no mapping: virtual ranks in the given order
};

/// Maps ranks to the virtual ranks of a tree topology. The first of `ranks` is the root; then the largest open subtree
/// gets the remaining rank of least cost, so that large messages use fast links (Lastovetsky, Rychkov and O'Flynn, on
/// the LMO model, section 2). Among equals, the first in `ranks`. The time grows with the square of the ranks; more
/// than 128 ranks stay in order.
std::vector<Rank> placed(const TreeTopology& shape, const std::vector<Rank>& ranks, const PlaceCost& cost,
                         Mapping mapping = Mapping::good);

}  // namespace tombolo
