#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

/// Writes a reduction over a tree: each place combines its vector with its children's results, in the order of places,
/// and sends the result up. Operands that may not change places are combined over a tree in rank order, whose top hands
/// the result to the root.
void reduce_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                      ScheduleWriter& writer);

/// The same as an Algorithm::write, for one kind of shape.
template <ShapeOf shape>
void write_reduce_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_over_tree(shape(parameters), request, parameters, rank, writer);
}

}  // namespace tombolo
