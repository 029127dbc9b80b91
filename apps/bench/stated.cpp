#include "bench/stated.hpp"

#include <fmt/format.h>

#include <tombolo/collectives/choose/scheduled.hpp>
#include <tombolo/collectives/mapping/stated_mapping.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo::benchmarking {

void check_stated(Operation operation, const Options& options) {
  const MappingOptions& mapping = options.mapping;
  if (options.algorithm == "best" || options.algorithm == "all") {
    if (!mapping.any()) return;
    throw Error(fmt::format("{} with --algorithm {}", mapping.mapping ? "--mapping" : "--schedule", options.algorithm),
                "name an algorithm over a tree, or mapped");
  }
  const Algorithm& algorithm = find_algorithm(operation, options.algorithm);
  if (mapping.mapping) check_has_places(algorithm);
  if (mapping.schedule.empty()) return;
  stated_schedule(mapping.schedule);
  check_follows_schedule(algorithm);
}

}  // namespace tombolo::benchmarking
