#include <numeric>

#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

int TreeRoutes::further(Rank peer, Bytes segment_bytes) const {
  const auto link = long_links.find(peer);
  if (link == long_links.end() || segment_bytes <= 0) return 0;
  constexpr Bytes most = Bytes{1} << 16;
  return static_cast<int>(std::min(most, link->second / segment_bytes));
}

Role role_of(const Tree::Node& node, const RankOrder& rank_order, Direction direction) {
  Role role;
  if (node.parent >= 0) role.parent = rank_order.rank(node.parent);
  for (const Subtree& child : direction == Direction::down ? node.children : node.children_by_place()) {
    role.children.push_back(rank_order.rank(child.top));
  }
  return role;
}

TreeRoutes routes_over_tree(const TreeTopology& shape, const RankOrder& rank_order, const Request& request,
                            const Parameters& parameters, Rank rank, Direction direction) {
  const Tree::Node node = Tree(shape, request.ranks).node(rank_order.place(rank));
  TreeRoutes routes;
  routes.roles.push_back(role_of(node, rank_order, direction));
  const BufferRange vector{Buffer::output, 0, request.count};
  for (const BufferRange& segment : segments(vector, request.element_bytes, parameters.segment_bytes)) {
    routes.legs.push_back({segment.offset, segment.count, 0});
  }
  return routes;
}

std::vector<Share> shared_out(std::int64_t count, Bytes element_bytes, Bytes segment_bytes,
                              const std::vector<std::int64_t>& weights) {
  std::vector<Share> shares;
  if (segment_bytes == 0) {
    Wide sum = 0;
    for (const std::int64_t weight : weights) sum += weight;
    Wide before = 0;
    std::int64_t at = 0;
    for (std::size_t tree = 0; tree < weights.size(); ++tree) {
      before += weights[tree];
      const auto end = static_cast<std::int64_t>(count * before / sum);
      if (end > at) shares.push_back({at, end - at, static_cast<int>(tree), 0});
      at = end;
    }
    return shares;
  }
  // The next tree has the smallest ratio of share, including one more segment, to weight.
  struct Next {
    std::int64_t weight;
    int tree;
    int turn;
  };
  const auto later = [](const Next& a, const Next& b) {
    const Wide left = static_cast<Wide>(a.turn + 1) * b.weight;
    const Wide right = static_cast<Wide>(b.turn + 1) * a.weight;
    return left != right ? left > right : a.tree > b.tree;
  };
  std::vector<Next> heap;
  for (const std::int64_t weight : weights) heap.push_back({weight, static_cast<int>(heap.size()), 0});
  std::make_heap(heap.begin(), heap.end(), later);
  const std::int64_t each = std::max<std::int64_t>(1, segment_bytes / element_bytes);
  for (std::int64_t at = 0; at < count && !heap.empty(); at += each) {
    std::pop_heap(heap.begin(), heap.end(), later);
    Next& next = heap.back();
    shares.push_back({at, std::min(each, count - at), next.tree, next.turn++});
    std::push_heap(heap.begin(), heap.end(), later);
  }
  return shares;
}

TreeRoutes routes_of(const std::vector<Share>& shares, int trees, const std::function<Role(int tree)>& role) {
  TreeRoutes routes;
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> roles(static_cast<std::size_t>(trees), none);
  for (const Share& share : shares) {
    std::size_t& at = roles[static_cast<std::size_t>(share.tree)];
    if (at == none) {
      at = routes.roles.size();
      routes.roles.push_back(role(share.tree));
    }
    routes.legs.push_back({share.offset, share.count, at});
  }
  return routes;
}

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
