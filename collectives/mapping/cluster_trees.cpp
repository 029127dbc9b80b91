#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/cluster_trees.hpp>

namespace tombolo {

namespace {

using Groups = std::vector<const Landscape::Group*>;

Groups children_of(const Groups& groups) {
  Groups inside;
  for (const Landscape::Group* group : groups) {
    if (group->children.empty()) inside.push_back(group);
    for (const Landscape::Group& child : group->children) inside.push_back(&child);
  }
  return inside;
}

RankTree tree_of(const Groups& groups) {
  std::vector<Rank> order;
  std::vector<int> parents;
  for (const Landscape::Group* group : groups) {
    const auto top = static_cast<int>(order.size());
    for (const Rank rank : group->ranks) {
      parents.push_back(static_cast<int>(order.size()) == top ? -1 : top);
      order.push_back(rank);
    }
  }
  return {std::move(order), std::move(parents)};
}

}  // namespace

std::vector<MappedTrees> cluster_trees(const Landscape& landscape) {
  std::vector<MappedTrees> all;
  const auto add = [&](const Groups& groups, const char* what) {
    if (groups.size() < 2 || static_cast<int>(groups.size()) == landscape.ranks()) return;
    MappedTrees trees(fmt::format("{} {}", groups.size(), what), tree_of(groups));
    if (std::find(all.begin(), all.end(), trees) == all.end()) all.push_back(std::move(trees));
  };
  Groups groups{&landscape.whole()};
  for (Groups inside = children_of(groups); inside.size() > groups.size(); inside = children_of(groups)) {
    groups = std::move(inside);
    add(groups, "groups");
  }
  add(landscape.clusters(), "clusters");
  return all;
}

}  // namespace tombolo
