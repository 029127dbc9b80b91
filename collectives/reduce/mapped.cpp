#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const bool is_root = rank == request.root;
  reduce_along(routes_over_trees(trees, request, parameters, rank, Direction::up), request, parameters,
               {.own_in_output = is_root && request.in_place, .has_output = is_root}, writer);
}

}  // namespace

const Algorithm reduce_mapped{
    .name = "mapped",
    .operation = Operation::reduce,
    .summary = "up trees made for the platform, each with a share of the vector",
    .write = write,
    .segments = true,
    .period = period_of_trees,
    .mapped = true,
    .several_trees = true,
    .reorders = true,
};

}  // namespace tombolo
