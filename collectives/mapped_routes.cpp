#include <algorithm>
#include <numeric>

#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

std::vector<Rank> ranks_by_place(const Request& request, const Parameters& parameters) {
  const Places places(request, parameters);
  std::vector<Rank> ranks;
  for (int place = 0; place < places.size(); ++place) ranks.push_back(places.rank(place));
  return ranks;
}

}  // namespace

MappedTrees trees_or_binomial(const Request& request, const Parameters& parameters) {
  if (!parameters.trees.empty()) return parameters.trees;
  return {"binomial", RankTree::of_shape(binomial_shape(), ranks_by_place(request, parameters))};
}

void with_mapped_blocks(const Request& request, const Parameters& parameters, Rank rank,
                        const std::function<void(const SubtreeBlocks&)>& use) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const RankTree& tree = trees.tree(0);
  const Places places(request, {.order = tree.order()});
  use(SubtreeBlocks(request, places, tree.node(tree.place(rank))));
}

MappedTrees trees_or_several_tops(const Request& request, const Parameters& parameters) {
  if (!parameters.trees.empty()) return parameters.trees;
  const std::vector<Rank> ranks = ranks_by_place(request, parameters);
  int each = 1;
  while (each * each < request.ranks) ++each;
  const Shape shape = binomial_shape();
  std::vector<Rank> order;
  std::vector<int> parents;
  for (int first = 0; first < request.ranks; first += each) {
    std::vector<Rank> some(static_cast<std::size_t>(std::min(each, request.ranks - first)));
    std::iota(some.begin(), some.end(), 0);
    const RankTree part = RankTree::of_shape(binomial_shape(), some);
    for (const Rank rank : part.order()) order.push_back(ranks[static_cast<std::size_t>(first + rank)]);
    for (const int parent : part.parents()) parents.push_back(parent < 0 ? parent : first + parent);
  }
  return {"binomial, several tops", RankTree(std::move(order), std::move(parents))};
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
