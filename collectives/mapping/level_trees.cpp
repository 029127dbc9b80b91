#include <algorithm>
#include <utility>

#include <tombolo/collectives/mapping/level_trees.hpp>

namespace tombolo {

namespace {

using Group = Landscape::Group;
using Groups = std::vector<const Group*>;

// A flat tree over the ranks of each group.
RankTree flat_trees(const Groups& groups, int ranks) {
  std::vector<Rank> tops;
  std::vector<std::vector<Rank>> children(static_cast<std::size_t>(ranks));
  for (const Group* group : groups) {
    tops.push_back(group->ranks.front());
    children[static_cast<std::size_t>(tops.back())].assign(group->ranks.begin() + 1, group->ranks.end());
  }
  return RankTree::of_children(tops, children);
}

// What each group splits into, those that do not staying as they are.
Groups split(const Groups& groups) {
  Groups parts;
  for (const Group* group : groups) {
    if (group->children.empty()) parts.push_back(group);
    for (const Group& child : group->children) parts.push_back(&child);
  }
  return parts;
}

}  // namespace

std::vector<MappedTrees> level_trees(const Landscape& landscape) {
  std::vector<Groups> levels;
  for (Groups groups = split({&landscape.whole()}); levels.empty() || groups != levels.back(); groups = split(groups)) {
    levels.push_back(groups);
  }
  std::vector<MappedTrees> all;
  const auto add = [&](const char* name, const std::vector<Groups>& some) {
    std::vector<MappedTrees::Weighted> trees;
    for (const Groups& groups : some) {
      if (groups.size() > 1) trees.push_back({flat_trees(groups, landscape.ranks())});
    }
    if (trees.empty()) return;
    MappedTrees made(name, std::move(trees));
    if (std::find(all.begin(), all.end(), made) == all.end()) all.push_back(std::move(made));
  };
  add("all levels", levels);
  add("clusters", {landscape.clusters()});
  return all;
}

}  // namespace tombolo
