#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

/// Writes a broadcast over a tree: every place passes each segment on to its children as soon as it has it.
void bcast_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                     ScheduleWriter& writer);

/// The same as an Algorithm::write, for one kind of shape.
template <ShapeOf shape>
void write_bcast_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  bcast_over_tree(shape(parameters), request, parameters, rank, writer);
}

}  // namespace tombolo
