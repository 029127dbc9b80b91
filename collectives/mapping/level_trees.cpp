#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/level_trees.hpp>

namespace tombolo {

namespace {

using Group = Landscape::Group;
using Groups = std::vector<const Group*>;

// Group by group, the top first.
RankTree tree_of(const Groups& groups) {
  std::vector<Rank> order;
  std::vector<int> parents;
  for (const Group* group : groups) {
    const auto top = static_cast<int>(order.size());
    for (const Rank rank : group->ranks) {
      parents.push_back(static_cast<int>(order.size()) == top ? -1 : top);
      order.push_back(rank);
    }
  }
  return {std::move(order), std::move(parents)};
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

// From the outside in; none of one group.
std::vector<Groups> levels_of(const Landscape& landscape) {
  std::vector<Groups> levels;
  Groups groups{&landscape.whole()};
  for (Groups inside = split(groups); inside.size() > groups.size(); inside = split(groups)) {
    groups = std::move(inside);
    levels.push_back(groups);
  }
  return levels;
}

void add_new(std::vector<MappedTrees>& all, MappedTrees made) {
  if (std::find(all.begin(), all.end(), made) == all.end()) all.push_back(std::move(made));
}

}  // namespace

std::vector<MappedTrees> level_trees(const Landscape& landscape) {
  std::vector<MappedTrees> all;
  std::vector<MappedTrees::Weighted> trees;
  for (const Groups& groups : levels_of(landscape)) trees.push_back({tree_of(groups)});
  if (!trees.empty()) add_new(all, {"all levels", std::move(trees)});
  const Groups clusters = landscape.clusters();
  if (clusters.size() > 1) add_new(all, {"clusters", tree_of(clusters)});
  return all;
}

std::vector<MappedTrees> cluster_trees(const Landscape& landscape) {
  std::vector<MappedTrees> all;
  const auto add = [&](const Groups& groups, const char* what) {
    if (groups.size() < 2 || static_cast<int>(groups.size()) == landscape.ranks()) return;
    add_new(all, {fmt::format("{} {}", groups.size(), what), tree_of(groups)});
  };
  for (const Groups& groups : levels_of(landscape)) add(groups, "groups");
  add(landscape.clusters(), "clusters");
  return all;
}

}  // namespace tombolo
