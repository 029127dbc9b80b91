#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

/// Writes a gatherv over a tree, the mirror of scatterv_over_tree: each place collects its children's subtrees and
/// sends them up behind its own block, in segments the first of which can leave before the last has come.
void gatherv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer);

/// Where ranks know only their own counts: every inner place first collects the counts of its subtree.
void learn_gatherv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                             ScheduleWriter& writer);

/// The same as an Algorithm::write, for one kind of shape.
template <ShapeOf shape>
void write_gatherv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  gatherv_over_tree(shape(parameters), request, parameters, rank, writer);
}

template <ShapeOf shape>
void learn_gatherv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  learn_gatherv_over_tree(shape(parameters), request, parameters, rank, writer);
}

}  // namespace tombolo
