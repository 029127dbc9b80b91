#pragma once

#include <vector>

#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

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

}  // namespace tombolo
