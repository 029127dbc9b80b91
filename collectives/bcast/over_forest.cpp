#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/bcast/over_forest.hpp>

namespace tombolo {

void bcast_over_forest(int trees, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer) {
  const Forest forest(request, parameters, Forest::Root::above, trees);
  bcast_along(routes_over_forest(forest, request, parameters, rank, Direction::down), parameters, writer);
}

}  // namespace tombolo
