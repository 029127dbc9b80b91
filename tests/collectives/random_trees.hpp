#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/collectives/level_groups.hpp>
#include <tombolo/collectives/mapped_trees.hpp>

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

inline LevelGroups random_groups(int ranks, std::mt19937& random) {
  const int tops = 1 + static_cast<int>(random() % 7);
  return LevelGroups(random_trees(1 + static_cast<int>(random() % 3), ranks, 0, tops, random));
}

}  // namespace tombolo::test
