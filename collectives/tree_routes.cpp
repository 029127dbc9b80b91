#include <tombolo/collectives/segments.hpp>
#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

TreeRoutes routes_over_tree(const Shape& shape, const Places& places, const Request& request,
                            const Parameters& parameters, Rank rank, Direction direction) {
  const Tree::Node node = Tree(shape, request.ranks).node(places.place(rank));
  TreeRoutes routes;
  Role& role = routes.roles.emplace_back();
  if (node.parent >= 0) role.parent = places.rank(node.parent);
  for (const Subtree& child : direction == Direction::down ? node.children : node.children_by_place()) {
    role.children.push_back(places.rank(child.top));
  }
  const Piece vector{Buffer::output, 0, request.count};
  for (const Piece& segment : segments(vector, request.element_bytes, parameters.segment_bytes)) {
    routes.legs.push_back({segment.offset, segment.count, 0});
  }
  return routes;
}

}  // namespace tombolo
