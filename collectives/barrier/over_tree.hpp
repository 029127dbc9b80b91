#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

/// Writes a barrier over a tree: signals go up once all below have come, and down again from the top.
void barrier_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer);

/// The same as an Algorithm::write, for one kind of shape.
template <ShapeOf shape>
void write_barrier_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  barrier_over_tree(shape(parameters), request, parameters, rank, writer);
}

}  // namespace tombolo
