#pragma once

#include <vector>

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// What trees_for() has for a scatterv or gatherv: over the levels of the landscape, messages growing with the groups
/// that they are for; shapes whose large messages go over fast links; everybody served by the root itself, those first
/// whose messages take longest. Nothing where a count is not known.
std::vector<MappedTrees> block_trees(const Request& request, const Model& model, const Landscape& landscape);

/// One shape over all ranks, for the counts of a scatterv or gatherv, which must all be known: a message is as long as
/// the blocks of a subtree, those of ranks that have no place yet taken as the mean.
RankTree placed_blocks_tree(const Shape& shape, const Request& request, const Model& model,
                            Mapping mapping = Mapping::good);

}  // namespace tombolo
