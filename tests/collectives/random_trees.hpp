#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/collectives/topology/detours.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/collectives/topology/nested_groups.hpp>

namespace tombolo::test {

/// A tree of any form over so many ranks, the root at its first top; so many tops where there are as many ranks.
inline RankTree random_tree(int ranks, Rank root, int tops, std::mt19937& random) {
  std::vector<Rank> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order.front(), order[static_cast<std::size_t>(root)]);
  std::shuffle(order.begin() + 1, order.end(), random);
  std::vector<std::vector<Rank>> children(order.size());
  std::vector<Rank> above;
  // From chains to bushes.
  const auto near = static_cast<std::size_t>(1 + random() % order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (place < static_cast<std::size_t>(tops)) {
      above.push_back(order[place]);
    } else {
      const std::size_t parent = place - 1 - random() % std::min(near, place);
      children[static_cast<std::size_t>(order[parent])].push_back(order[place]);
    }
  }
  return RankTree::of_children(above, children);
}

inline MappedTrees random_trees(int count, int ranks, Rank root, int tops, std::mt19937& random) {
  std::vector<MappedTrees::Weighted> trees;
  for (int tree = 0; tree < count; ++tree) {
    std::vector<Bytes> long_links(random() % 2 == 0 ? static_cast<std::size_t>(ranks) : 0);
    for (Bytes& bytes : long_links) bytes = random() % 3 == 0 ? static_cast<Bytes>(random() % 500) : 0;
    trees.push_back({random_tree(ranks, root, tops, random), static_cast<std::int64_t>(1 + random() % 5), long_links});
  }
  return {"random", std::move(trees)};
}

/// So many partitions, each of so many groups where there are as many ranks; they may overlap.
inline NestedGroups random_groups(int levels, int ranks, int groups, std::mt19937& random) {
  std::vector<Partition> partitions;
  for (int level = 0; level < levels; ++level) {
    partitions.push_back(random_tree(ranks, 0, groups, random).ranks_by_root());
  }
  return {"random", std::move(partitions)};
}

/// One to three partitions of one to seven groups each.
inline NestedGroups random_groups(int ranks, std::mt19937& random) {
  const int groups = 1 + static_cast<int>(random() % 7);
  return random_groups(1 + static_cast<int>(random() % 3), ranks, groups, random);
}

/// Detours between most pairs of so many clusters, each over up to two others, with any shares.
inline Detours random_detours(int ranks, int clusters, std::mt19937& random) {
  const Partition parts = random_tree(ranks, 0, clusters, random).ranks_by_root();
  Partition relays = parts;
  for (std::vector<Rank>& some : relays) some.resize(1 + random() % some.size());
  const auto count = static_cast<int>(parts.size());
  std::vector<Detours::Pair> pairs;
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      if (from == to || random() % 5 == 0) continue;
      pairs.push_back({.from = from, .to = to, .segment_bytes = static_cast<Bytes>(random() % 3 * 16), .ways = {}});
      for (int ways = 1 + static_cast<int>(random() % 3); ways > 0; --ways) {
        std::vector<int> over;
        for (int hop = static_cast<int>(random() % 3); hop > 0; --hop) {
          const auto next = static_cast<int>(random() % parts.size());
          if (next != from && next != to && std::find(over.begin(), over.end(), next) == over.end()) {
            over.push_back(next);
          }
        }
        pairs.back().ways.push_back({.over = over,
                                     .weight = static_cast<std::int64_t>(1 + random() % 9),
                                     .window = 1 + static_cast<int>(random() % 3)});
      }
    }
  }
  return {parts, relays, std::move(pairs)};
}

}  // namespace tombolo::test
