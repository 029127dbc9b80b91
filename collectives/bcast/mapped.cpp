#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/mapped_routes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  bcast_along(routes_over_trees(trees, request, parameters, rank, Direction::down), parameters, writer);
}

}  // namespace

const Algorithm bcast_mapped{
    .name = "mapped",
    .operation = Operation::bcast,
    .summary = "down trees made for the platform, each with a share of the vector",
    .write = write,
    .segments = true,
    .period = period_of_trees,
    .mapped = true,
    .several_trees = true,
};

}  // namespace tombolo
