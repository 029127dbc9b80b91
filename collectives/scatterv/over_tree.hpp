#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// Writes a scatterv over a tree: each place receives the blocks of its whole subtree in one message and hands every
/// child the child's part. Leaves receive into their output; nothing is copied on the way. One lane for all children,
/// so that Parameters::window bounds how many are served at a time.
void scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                        ScheduleWriter& writer);

/// Where ranks know only their own counts: every parent first sends each inner child the counts of the child's subtree.
void learn_scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                              ScheduleWriter& writer);

/// The same as an Algorithm::write, for one shape.
template <std::vector<Subtree> (*shape)(Subtree)>
void write_scatterv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scatterv_over_tree(shape, request, parameters, rank, writer);
}

template <std::vector<Subtree> (*shape)(Subtree)>
void learn_scatterv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  learn_scatterv_over_tree(shape, request, parameters, rank, writer);
}

}  // namespace tombolo
