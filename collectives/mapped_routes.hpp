#pragma once

#include <functional>

#include <tombolo/collectives/forest.hpp>
#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/subtree_blocks.hpp>
#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

/// Parameters::trees, or, where there are none, the binomial tree over places (places.hpp).
MappedTrees trees_or_binomial(const Request& request, const Parameters& parameters);

/// The same for what takes several tops; the plain one has about as many as each of their trees has ranks.
MappedTrees trees_or_several_tops(const Request& request, const Parameters& parameters);

/// Hands over what a rank has to do with the blocks of a v-collective in the one tree of these.
void with_mapped_blocks(const Request& request, const Parameters& parameters, Rank rank,
                        const std::function<void(const SubtreeBlocks&)>& use);

/// How such trees share out a vector of request.count elements.
std::vector<Share> shares_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters);

/// The routes of the vector through them: a leg for each of these shares.
TreeRoutes routes_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters, Rank rank,
                             Direction direction);

/// Algorithm::period of what goes along them.
int period_of_trees(const Request& request, const Parameters& parameters);

}  // namespace tombolo
