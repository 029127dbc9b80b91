#include <algorithm>
#include <numeric>

#include <tombolo/collectives/algorithms/common/mapped_routes.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/collectives/topology/tree_families.hpp>

namespace tombolo {

namespace {

std::vector<Rank> ranks_by_place(const Request& request, const Parameters& parameters) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  std::vector<Rank> ranks;
  for (int place = 0; place < rank_order.size(); ++place) ranks.push_back(rank_order.rank(place));
  return ranks;
}

}  // namespace

MappedTrees trees_or_binomial(const Request& request, const Parameters& parameters) {
  if (!parameters.trees.empty()) return parameters.trees;
  return {"binomial", RankTree::of_shape(binomial_tree(), ranks_by_place(request, parameters))};
}

MappedTrees leaders_or_default(const Request& request, const Parameters& parameters) {
  if (!parameters.trees.empty()) return parameters.trees;
  const std::vector<Rank> ranks = ranks_by_place(request, parameters);
  int each = 1;
  while (each * each < request.ranks) ++each;
  std::vector<Rank> order;
  std::vector<int> parents;
  for (int first = 0; first < request.ranks; first += each) {
    std::vector<Rank> some(static_cast<std::size_t>(std::min(each, request.ranks - first)));
    std::iota(some.begin(), some.end(), 0);
    const RankTree part = RankTree::of_shape(binomial_tree(), some);
    for (const Rank rank : part.order()) order.push_back(ranks[static_cast<std::size_t>(first + rank)]);
    for (const int parent : part.parents()) parents.push_back(parent < 0 ? parent : first + parent);
  }
  return {"binomial, several roots", RankTree(std::move(order), std::move(parents))};
}

NestedGroups groups_or_default(const Request& request, const Parameters& parameters) {
  if (!parameters.groups.empty()) return parameters.groups;
  const MappedTrees leaders = leaders_or_default(request, parameters);
  return {leaders.name(), {leaders.tree(0).ranks_by_root()}};
}

std::vector<Share> shares_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters) {
  std::vector<std::int64_t> weights;
  for (const MappedTrees::Weighted& each : trees.all()) weights.push_back(each.weight);
  return shared_out(request.count, request.element_bytes, parameters.segment_bytes, weights);
}

TreeRoutes routes_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters, Rank rank,
                             Direction direction) {
  TreeRoutes routes = routes_of(shares_over_trees(trees, request, parameters), trees.size(),
                                [&](int tree) { return trees.tree(tree).role(rank, direction); });
  for (const auto& [tree, weight, long_links] : trees.all()) {
    if (long_links.empty()) continue;
    const auto add = [&](int place, Rank peer) {
      const Bytes bytes = long_links[static_cast<std::size_t>(place)];
      if (bytes > 0) routes.long_links[peer] += bytes;
    };
    const int place = tree.place(rank);
    const Role role = tree.role(rank, direction);
    if (role.parent != nobody) add(place, role.parent);
    for (const Rank child : role.children) add(tree.place(child), child);
  }
  return routes;
}

int period_of_trees(const Request&, const Parameters& parameters) {
  return parameters.trees.empty() ? 1 : parameters.trees.period();
}

}  // namespace tombolo
