#pragma once

#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/collectives/topology/nested_groups.hpp>

namespace tombolo {

/// Returns Parameters::trees, or by default the binomial tree over virtual ranks (rank_order.hpp).
MappedTrees trees_or_binomial(const Request& request, const Parameters& parameters);

/// Returns Parameters::trees for algorithms with leaders, the roots of one tree. By default about sqrt(ranks) binomial
/// trees of as many consecutive virtual ranks each.
MappedTrees leaders_or_default(const Request& request, const Parameters& parameters);
/// Default radix among leaders: up to 16 leaders exchange directly, since a round over long links costs more than
/// messages.
constexpr int leaders_radix = 16;

/// Returns Parameters::groups, or by default the groups below the roots of leaders_or_default().
NestedGroups groups_or_default(const Request& request, const Parameters& parameters);

/// The shares of the trees in a vector of request.count elements.
std::vector<Share> shares_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters);

/// The routes of the vector through the trees: one leg per share.
TreeRoutes routes_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters, Rank rank,
                             Direction direction);

/// Algorithm::period of algorithms over mapped trees.
int period_of_trees(const Request& request, const Parameters& parameters);

}  // namespace tombolo
