#include <tombolo/collectives/reduce/along_routes.hpp>
#include <tombolo/collectives/reduce/over_forest.hpp>

namespace tombolo {

void reduce_over_forest(int trees, const Request& request, const Parameters& parameters, Rank rank,
                        ScheduleWriter& writer) {
  const Forest forest(request, parameters, Forest::Root::above, trees);
  const TreeRoutes routes = routes_over_forest(forest, request, parameters, rank, Direction::up);
  const bool is_root = rank == request.root;
  reduce_along(routes, request, parameters, {.own_in_output = is_root && request.in_place, .has_output = is_root},
               writer);
  if (forest.trees() > 0 || request.in_place) return;
  writer.copy({{Buffer::input, 0, request.count}}, {{Buffer::output, 0, request.count}});
}

}  // namespace tombolo
