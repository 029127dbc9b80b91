#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/bcast/over_tree.hpp>

namespace tombolo {

void bcast_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                     ScheduleWriter& writer) {
  const Places places(request, parameters);
  bcast_along(routes_over_tree(shape, places, request, parameters, rank, Direction::down), parameters, writer);
}

}  // namespace tombolo
