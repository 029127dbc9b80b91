#include <algorithm>

#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>

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

}  // namespace tombolo
