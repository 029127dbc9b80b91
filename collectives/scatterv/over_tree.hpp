#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

/// Writes a scatterv over a tree: each place receives the blocks of its whole subtree and hands every child the child's
/// part. Leaves receive into their output; nothing is copied on the way. What travels over a link is cut into segments,
/// the farthest places' first, so that a place passes on what has come while the rest still comes.
void scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                        ScheduleWriter& writer);

/// Where ranks know only their own counts: every parent first sends each inner child the counts of the child's subtree.
void learn_scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                              ScheduleWriter& writer);

/// The same as an Algorithm::write, for one kind of shape.
template <ShapeOf shape>
void write_scatterv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scatterv_over_tree(shape(parameters), request, parameters, rank, writer);
}

template <ShapeOf shape>
void learn_scatterv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  learn_scatterv_over_tree(shape(parameters), request, parameters, rank, writer);
}

}  // namespace tombolo
