#include <algorithm>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/allreduce/among_tops.hpp>
#include <tombolo/collectives/bcast/along_routes.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/reduce/along_routes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_several_tops(request, parameters);
  const auto routes = [&](Direction direction) {
    return routes_over_trees(trees, request, parameters, rank, direction);
  };
  reduce_along(routes(Direction::up), request, parameters, {.own_in_output = request.in_place, .has_output = true},
               writer);
  std::vector<PartOfTops> led;
  std::int64_t largest = 0;
  for (const Share& share : shares_over_trees(trees, request, parameters)) {
    largest = std::max(largest, share.count);
    Tops tops(trees.tree(share.tree), rank);
    if (tops.own() < tops.size()) led.push_back({{Buffer::output, share.offset, share.count}, std::move(tops)});
  }
  allreduce_among_tops(led, largest, request, parameters.radix > 0 ? parameters.radix : tops_radix, writer);
  bcast_along(routes(Direction::down), parameters, writer);
}

}  // namespace

const Algorithm allreduce_leaders{
    .name = "leaders",
    .operation = Operation::allreduce,
    .summary = "leaders of clusters exchange what these have combined: long links once",
    .write = write,
    .segments = true,
    .period = period_of_trees,
    .radix = tops_radix,
    .mapped = true,
    .several_trees = true,
    .several_tops = true,
    .reorders = true,
};

}  // namespace tombolo
