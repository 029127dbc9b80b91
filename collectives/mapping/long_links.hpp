#pragma once

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// The same trees with what must be under way on each link (MappedTrees::Weighted::long_links): its latency times the
/// rate at which it carries the tree's share while the vector passes at the rate of one link. With that much and two
/// segments more, one that is acknowledged and one in reserve (a window of 2), a link keeps up; with more, flows only
/// share a port, and all arrive late.
MappedTrees with_long_links(const MappedTrees& trees, const Model& model);

}  // namespace tombolo
