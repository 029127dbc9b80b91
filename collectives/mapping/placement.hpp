#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/units.hpp>

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

/// Returns the default rank order: ascending from the root, cyclic.
std::vector<Rank> ranks_from_root(const Request& request);

/// Returns the time of the message between `parent` and `rank`, the top of a subtree with `others` more ranks; upwards
/// for a reduce or gather. The message is the vector, or the blocks of the subtree, where the other ranks count with
/// the mean block. All counts must be known.
Picoseconds subtree_message_time(const Request& request, const Model& model, Rank parent, Rank rank, int others);

/// Maps ranks to the virtual ranks of a tree topology for a rooted request; the root comes first. A good mapping puts
/// large messages on fast links, a pessimal one on slow links (placement.hpp). All counts must be known.
std::vector<Rank> placed_order(const TreeTopology& shape, const Request& request, const Model& model, Mapping mapping);

/// Maps ranks to the virtual ranks of an algorithm's tree; the result is a Parameters::order. Throws Error for an
/// algorithm without a choice of virtual ranks (Algorithm::shape is null).
std::vector<Rank> placed_order(const Algorithm& algorithm, const Parameters& parameters, const Request& request,
                               const Model& model, Mapping mapping);

/// Returns an order of virtual ranks with near ranks where an algorithm is to have them (Algorithm::near); the root
/// comes first. `adjacent`: group after group at all levels of the hierarchy. `far_apart`: every stretch has as large a
/// part of each group as of the others. Empty if that is the default order, or any order will do.
std::vector<Rank> order_of_groups(const Request& request, NearRanks near, const Hierarchy& hierarchy);

/// Throws Error, which lists alternatives, for an algorithm without a tree whose virtual ranks may be permuted
/// (Algorithm::shape) as by placed_order().
void check_has_places(const Algorithm& algorithm);

}  // namespace tombolo
