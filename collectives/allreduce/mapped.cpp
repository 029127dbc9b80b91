#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const auto routes = [&](Direction direction) {
    return routes_over_trees(trees, request, parameters, rank, direction);
  };
  reduce_along(routes(Direction::up), request, parameters, {.own_in_output = request.in_place, .has_output = true},
               writer);
  bcast_along(routes(Direction::down), parameters, writer);
}

}  // namespace

const Algorithm allreduce_mapped{
    .name = "mapped",
    .operation = Operation::allreduce,
    .summary = "up trees made for the platform and down again, each with a share of the vector",
    .write = write,
    .segments = true,
    .period = period_of_trees,
    .mapped = true,
    .several_trees = true,
    .reorders = true,
};

}  // namespace tombolo
