#include <tombolo/collectives/barrier/along_role.hpp>
#include <tombolo/collectives/barrier/over_tree.hpp>
#include <tombolo/collectives/tree_routes.hpp>

namespace tombolo {

void barrier_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer) {
  const Places places(request, parameters);
  const Tree::Node node = Tree(shape, request.ranks).node(places.place(rank));
  barrier_down(role_of(node, places, Direction::down), barrier_up(role_of(node, places, Direction::up), writer),
               writer);
}

}  // namespace tombolo
