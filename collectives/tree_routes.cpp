#include <algorithm>

#include <tombolo/collectives/segments.hpp>
#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

int TreeRoutes::further(Rank peer, Bytes segment_bytes) const {
  const auto link = long_links.find(peer);
  if (link == long_links.end() || segment_bytes <= 0) return 0;
  constexpr Bytes most = Bytes{1} << 16;
  return static_cast<int>(std::min(most, link->second / segment_bytes));
}

Role role_of(const Tree::Node& node, const Places& places, Direction direction) {
  Role role;
  if (node.parent >= 0) role.parent = places.rank(node.parent);
  for (const Subtree& child : direction == Direction::down ? node.children : node.children_by_place()) {
    role.children.push_back(places.rank(child.top));
  }
  return role;
}

TreeRoutes routes_over_tree(const Shape& shape, const Places& places, const Request& request,
                            const Parameters& parameters, Rank rank, Direction direction) {
  const Tree::Node node = Tree(shape, request.ranks).node(places.place(rank));
  TreeRoutes routes;
  routes.roles.push_back(role_of(node, places, direction));
  const Piece vector{Buffer::output, 0, request.count};
  for (const Piece& segment : segments(vector, request.element_bytes, parameters.segment_bytes)) {
    routes.legs.push_back({segment.offset, segment.count, 0});
  }
  return routes;
}

}  // namespace tombolo
