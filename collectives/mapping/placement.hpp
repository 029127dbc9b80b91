#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/tree.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What it costs that a candidate takes the top of a subtree below the rank `parent`.
using PlaceCost = std::function<Picoseconds(Rank parent, Subtree subtree, Rank candidate)>;

enum class Mapping {
  good,      ///< the least cost wherever there is a choice
  pessimal,  ///< the largest: to see what mapping is worth
  in_order   ///< none: ranks take places as they stand
};

/// Which rank takes which place of a shape: the first of `ranks` its top, then the places with the largest subtrees
/// first, each the best rank that is left, so that large messages go over fast links (Lastovetsky, Rychkov and
/// O'Flynn, on the LMO model, section 2). Of several alike, the first in `ranks`. Up to 128 ranks; of more, as that
/// takes the square of them, all take places in their order.
std::vector<Rank> placed(const Shape& shape, const std::vector<Rank>& ranks, const PlaceCost& cost,
                         Mapping mapping = Mapping::good);

}  // namespace tombolo
