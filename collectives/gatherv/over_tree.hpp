#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// Writes a gatherv over a tree, the mirror of scatterv_over_tree: each place collects its children's subtrees and
/// sends them up with its own block in one message. One lane for all children, so that Parameters::window bounds how
/// many are received from at a time.
void gatherv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer);

/// Where ranks know only their own counts: every inner place first collects the counts of its subtree.
void learn_gatherv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                             ScheduleWriter& writer);

/// The same as an Algorithm::write, for one shape.
template <std::vector<Subtree> (*shape)(Subtree)>
void write_gatherv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  gatherv_over_tree(shape, request, parameters, rank, writer);
}

template <std::vector<Subtree> (*shape)(Subtree)>
void learn_gatherv_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  learn_gatherv_over_tree(shape, request, parameters, rank, writer);
}

}  // namespace tombolo
