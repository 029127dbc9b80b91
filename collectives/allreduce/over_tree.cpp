#include <tombolo/collectives/allreduce/over_tree.hpp>
#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>

namespace tombolo {

void allreduce_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                         ScheduleWriter& writer) {
  const Places places = request.commutative ? Places(request, parameters) : Places::in_rank_order(request.ranks);
  const auto routes = [&](Direction direction) {
    return routes_over_tree(shape, places, request, parameters, rank, direction);
  };
  reduce_along(routes(Direction::up), request, parameters, {.own_in_output = request.in_place, .has_output = true},
               writer);
  bcast_along(routes(Direction::down), parameters, writer);
}

}  // namespace tombolo
