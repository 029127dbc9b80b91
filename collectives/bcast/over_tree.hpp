#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// Writes a broadcast over a tree: every place passes each segment on to its children as soon as it has it.
/// A lane per child, so that Parameters::window bounds the segments under way on each link.
void bcast_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                     ScheduleWriter& writer);

/// The same as an Algorithm::write, for one shape.
template <std::vector<Subtree> (*shape)(Subtree)>
void write_bcast_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_tree(shape, request, parameters, rank, writer);
}

}  // namespace tombolo
