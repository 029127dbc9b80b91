#include <string>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/stated_mapping.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

void check_has_places(const Algorithm& algorithm) {
  if (algorithm.shape != nullptr) return;
  std::string trees;
  for (const Algorithm* other : algorithms_for(algorithm.operation)) {
    if (other->shape != nullptr) trees += fmt::format("{}{}", trees.empty() ? "" : ", ", other->name);
  }
  throw Error(fmt::format("algorithm '{}' of {} has no tree whose places ranks could take in another order",
                          algorithm.name, name(algorithm.operation)),
              trees.empty() ? "do without a mapping" : "choose one of " + trees);
}

void check_follows_schedule(const Algorithm& algorithm) {
  if (algorithm.follows_rooted_trees()) return;
  throw Error(fmt::format("algorithm '{}' of {} follows no schedule", algorithm.name, name(algorithm.operation)),
              "choose 'mapped', where there is one");
}

}  // namespace tombolo
