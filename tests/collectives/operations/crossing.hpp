#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/platform.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/requests.hpp"
#include "support/sanitized.hpp"

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

/// Fails where a plan cannot be proved.
inline void check(const Plan& plan) {
  const Proof proof = prove(plan);
  if (!proof.holds()) FAIL(plan.describe() << ": " << *proof.fault);
}

/// Whose blocks cross from one cluster to another.
enum class Owner { sender, receiver };

/// Over clusters of random sizes, for each spread of blocks, with and without segments: checks that plans of the
/// algorithm are correct, and that from each cluster to each other one just the blocks of its owner cross, once.
inline void check_crossings(Operation operation, const Algorithm& algorithm, Owner owner) {
  std::mt19937 random(8);
  for (int ranks = 2; ranks <= (sanitized() ? 24 : 48); ranks += 1 + ranks / 8) {
    const Hierarchy hierarchy(random_clusters(ranks, random));
    const auto clusters = hierarchy.clusters();
    if (clusters.size() < 2) continue;
    for (const Spread spread : {Spread::equal, Spread::uneven, Spread::one}) {
      const Request asked = request(operation, ranks, 0, spread, random);
      for (const NestedGroups& groups : level_groups(hierarchy)) {
        for (const Bytes segment : {0, 16}) {
          const Plan plan(asked, algorithm, {.segment_bytes = segment, .groups = groups});
          check(plan);
          INFO(plan.describe());
          for (const Hierarchy::Group* to : clusters) {
            for (const Hierarchy::Group* from : clusters) {
              if (from != to) CHECK(crossing(plan, *from, *to) == owned(asked, owner == Owner::sender ? *from : *to));
            }
          }
        }
      }
    }
  }
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
