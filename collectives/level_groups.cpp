#include <algorithm>
#include <utility>

#include <tombolo/collectives/level_groups.hpp>

namespace tombolo {

namespace {

// By rank, the place in a tree of the top that the rank is below.
std::vector<int> tops_of(const RankTree& tree) {
  std::vector<int> tops(static_cast<std::size_t>(tree.ranks()));
  for (int place = 0, end = 0, top = 0; place < tree.ranks(); ++place) {
    if (place == end) {
      top = place;
      end = tree.subtree(place).end();
    }
    tops[static_cast<std::size_t>(tree.order()[static_cast<std::size_t>(place)])] = top;
  }
  return tops;
}

}  // namespace

LevelGroups::LevelGroups(const MappedTrees& trees) : order_(trees.all().back().tree.order()), places_(order_.size()) {
  std::vector<std::vector<int>> tops;
  for (const MappedTrees::Weighted& each : trees.all()) tops.push_back(tops_of(each.tree));
  const auto differ = [](const std::vector<int>& level, Rank a, Rank b) {
    return level[static_cast<std::size_t>(a)] != level[static_cast<std::size_t>(b)];
  };
  std::stable_sort(order_.begin(), order_.end(), [&](Rank a, Rank b) {
    for (const std::vector<int>& level : tops) {
      if (differ(level, a, b)) return level[static_cast<std::size_t>(a)] < level[static_cast<std::size_t>(b)];
    }
    return false;
  });
  for (int place = 0; place < size(); ++place) places_[static_cast<std::size_t>(rank(place))] = place;

  groups_.emplace_back(order_.size(), Group{0, size()});
  indices_.emplace_back(order_.size(), 0);
  for (const std::vector<int>& level : tops) {
    std::vector<Group> groups(order_.size());
    std::vector<int> indices(order_.size());
    for (int first = 0, index = 0, end = 0; first < size(); first = end) {
      const Group& around = groups_.back()[static_cast<std::size_t>(first)];
      index = around.first == first ? 0 : index + 1;
      for (end = first + 1; end < around.end() && !differ(level, rank(first), rank(end));) ++end;
      std::fill(groups.begin() + first, groups.begin() + end, Group{first, end - first});
      std::fill(indices.begin() + first, indices.begin() + end, index);
    }
    groups_.push_back(std::move(groups));
    indices_.push_back(std::move(indices));
  }
}

int LevelGroups::common_level(int a, int b) const {
  int level = levels() - 1;
  while (!(group(level, a) == group(level, b))) --level;
  return level;
}

}  // namespace tombolo
