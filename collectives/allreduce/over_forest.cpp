#include <tombolo/collectives/allreduce/over_forest.hpp>
#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>

namespace tombolo {

void allreduce_over_forest(int trees, const Request& request, const Parameters& parameters, Rank rank,
                           ScheduleWriter& writer) {
  const Forest forest(request, parameters, Forest::Root::none, trees);
  const auto routes = [&](Direction direction) {
    return routes_over_forest(forest, request, parameters, rank, direction);
  };
  reduce_along(routes(Direction::up), request, parameters, {.own_in_output = request.in_place, .has_output = true},
               writer);
  bcast_along(routes(Direction::down), parameters, writer);
}

}  // namespace tombolo
