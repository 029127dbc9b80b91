#pragma once

#include <algorithm>
#include <vector>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/platform/description/platform.hpp>

namespace tombolo::test {

/// Elements that all ranks of the first group send those of the second.
inline std::int64_t crossing(const Plan& plan, const Hierarchy::Group& from, const Hierarchy::Group& to) {
  std::int64_t elements = 0;
  for (const Rank rank : from.ranks) {
    const Schedule schedule = plan.schedule(rank);
    for (const Step& step : schedule.steps()) {
      const bool crosses =
          step.kind == Step::Kind::send && std::binary_search(to.ranks.begin(), to.ranks.end(), step.peer);
      if (crosses) elements += step.count;
    }
  }
  return elements;
}

/// Elements of the blocks of all ranks of a group.
inline std::int64_t owned(const Request& request, const Hierarchy::Group& group) {
  std::int64_t elements = 0;
  for (const Rank rank : group.ranks) elements += request.blocks.count(rank);
  return elements;
}

/// Two sites: clusters of 2 and 3 ranks, and of 1, 4 and 2; nothing is known of links.
inline Platform two_sites() {
  using Kind = Level::Kind;
  Platform platform;
  const auto level = [](Kind kind, Rank first, Rank end) {
    Level made{kind, "", {}, {}};
    for (Rank rank = first; rank < end; ++rank) made.ranks.push_back(rank);
    return made;
  };
  platform.processors.resize(12);
  platform.levels = level(Kind::group, 0, 12);
  platform.levels.children = {level(Kind::group, 0, 5), level(Kind::group, 5, 12)};
  platform.levels.children[0].children = {level(Kind::cluster, 0, 2), level(Kind::cluster, 2, 5)};
  platform.levels.children[1].children = {level(Kind::cluster, 5, 6), level(Kind::cluster, 6, 10),
                                          level(Kind::cluster, 10, 12)};
  return platform;
}

}  // namespace tombolo::test
