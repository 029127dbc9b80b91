#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>
#include <tombolo/collectives/reduce/over_tree.hpp>

namespace tombolo {

void reduce_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                      ScheduleWriter& writer) {
  const Places places = request.commutative ? Places(request, parameters) : Places::in_rank_order(request.ranks);
  const Rank top = places.rank(0);
  const bool is_root = rank == request.root;
  TreeRoutes routes = routes_over_tree(shape, places, request, parameters, rank, Direction::up);
  if (rank == top && !is_root) routes.roles.front().parent = request.root;
  reduce_along(routes, request, parameters, {.own_in_output = is_root && request.in_place, .has_output = is_root},
               writer);
  if (!is_root || rank == top) return;
  LaneSet results = LaneSet::with_parents(writer, parameters);
  for (const TreeRoutes::Leg& leg : routes.legs) {
    writer.receive(top, {{Buffer::output, leg.offset, leg.count}}, {.lane = results.lane(top)});
  }
}

}  // namespace tombolo
