#pragma once

#include <vector>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Returns the candidate trees of a mapped scatterv or gatherv, for trees_for(): trees over the levels of the
/// hierarchy, where a message carries the blocks of a whole group; tree topologies that put large messages on fast
/// links; the flat tree, longest message first. Empty if a count is unknown.
std::vector<MappedTrees> block_trees(const Request& request, const Model& model, const Hierarchy& hierarchy);

}  // namespace tombolo
