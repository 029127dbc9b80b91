#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// Writes a reduction over a tree: each place combines its vector with its children's results, in the order of places,
/// and sends the result up. Operands that may not change places are combined over a tree in rank order, whose top hands
/// the result to the root. Each child's segment needs room until it is combined: two segments of scratch per rank.
void reduce_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                      ScheduleWriter& writer);

/// The same as an Algorithm::write, for one shape.
template <std::vector<Subtree> (*shape)(Subtree)>
void write_reduce_over(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  reduce_over_tree(shape, request, parameters, rank, writer);
}

}  // namespace tombolo
