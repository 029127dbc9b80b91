#include <numeric>
#include <utility>

#include <tombolo/collectives/reduce_scatter/groups_in_order.hpp>

namespace tombolo {

LevelGroups groups_in_order(const LevelGroups& groups) {
  std::vector<MappedTrees::Weighted> trees;
  std::vector<Rank> order(static_cast<std::size_t>(groups.size()));
  std::iota(order.begin(), order.end(), 0);
  for (int level = 1; level < groups.levels(); ++level) {
    std::vector<int> parents;
    int top = 0;
    for (const Rank rank : order) {
      const bool joins =
          rank > 0 && groups.group(level, groups.place(rank)) == groups.group(level, groups.place(rank - 1));
      if (!joins) top = rank;
      parents.push_back(joins ? top : -1);
    }
    trees.push_back({RankTree(order, std::move(parents))});
  }
  return LevelGroups(MappedTrees("in order", std::move(trees)));
}

}  // namespace tombolo
