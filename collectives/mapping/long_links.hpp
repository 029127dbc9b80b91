#pragma once

#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Returns the trees with the bytes in flight on each link set (MappedTrees::Weighted::long_links): the latency times
/// the rate of the tree's share while the vector passes at the rate of one link. These bytes and two segments more, one
/// being acknowledged and one in reserve (a window of 2), keep a link busy. Still more bytes in flight only make flows
/// share a port and delay all of them.
MappedTrees with_long_links(const MappedTrees& trees, const Model& model);

}  // namespace tombolo
