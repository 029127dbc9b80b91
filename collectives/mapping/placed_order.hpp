#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Upwards from the root, cyclic: how ranks take places where nothing else is said.
std::vector<Rank> ranks_from_root(const Request& request);

/// What the message takes that goes from `parent` to `rank` at the top of a subtree with so many others, or from there
/// to the parent where vectors are combined or blocks gathered: the vector, or the blocks of the subtree, those of
/// ranks that have no place yet taken as the mean. All counts must be known.
Picoseconds subtree_message_time(const Request& request, const Model& model, Rank parent, Rank rank, int others);

/// Which rank takes which place of a shape for a request with a root, which is at the top: with a good mapping large
/// messages go over fast links, with a pessimal one over slow ones (placement.hpp). All counts must be known.
std::vector<Rank> placed_order(const Shape& shape, const Request& request, const Model& model, Mapping mapping);

/// The same for an algorithm over such a shape, as Parameters::order. Throws Error for an algorithm without one
/// (Algorithm::shape), whose places make no difference or are not for choosing.
std::vector<Rank> placed_order(const Algorithm& algorithm, const Parameters& parameters, const Request& request,
                               const Model& model, Mapping mapping);

}  // namespace tombolo
