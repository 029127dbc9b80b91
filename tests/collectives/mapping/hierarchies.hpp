#pragma once

#include <random>
#include <vector>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/topology/rank_tree.hpp>

#include "models/test_platforms.hpp"

namespace tombolo::test {

/// Clusters of hosts with 1 to 4 ranks, at most so many ranks in all.
inline Platform random_clusters(int ranks, std::mt19937& random) {
  std::vector<std::vector<int>> clusters;
  for (int left = ranks; left > 0;) {
    if (clusters.empty() || random() % 4 == 0) clusters.emplace_back();
    const int more = std::min(left, random() % 3 == 0 ? 1 + static_cast<int>(random() % 4) : 1);
    clusters.back().push_back(more);
    left -= more;
  }
  return clusters_of_hosts(clusters);
}

/// How many edges of a tree lead from one group to another.
inline int crossings(const RankTree& tree, const std::vector<const Hierarchy::Group*>& groups) {
  const auto group_of = [&groups](Rank rank) {
    return std::find_if(groups.begin(), groups.end(), [rank](const auto* group) {
      return std::binary_search(group->ranks.begin(), group->ranks.end(), rank);
    });
  };
  int crossings = 0;
  for (Rank rank = 0; rank < tree.ranks(); ++rank) {
    for (const Rank child : tree.role(rank, Direction::down).children) {
      crossings += group_of(rank) != group_of(child) ? 1 : 0;
    }
  }
  return crossings;
}

}  // namespace tombolo::test
