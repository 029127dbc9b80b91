#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

/// Writes an allreduce over a tree: segments are combined on their way up and, while the next ones follow, passed down
/// again. Operands that may not change places are combined over a tree in rank order.
void allreduce_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                         ScheduleWriter& writer);

/// The same as an Algorithm::write, for one kind of shape.
template <ShapeOf shape>
void write_allreduce_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  allreduce_over_tree(shape(parameters), request, parameters, rank, writer);
}

}  // namespace tombolo
