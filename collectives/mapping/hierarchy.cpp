#include <algorithm>

#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/platform/description/members.hpp>

namespace tombolo {

namespace {

using Group = Hierarchy::Group;

Group part_of(const Level& level, const std::vector<Rank>& numbers) {
  Group group{level.kind, {}, {}};
  for (const Rank rank : level.ranks) {
    const Rank number = numbers[static_cast<std::size_t>(rank)];
    if (number >= 0) group.ranks.push_back(number);
  }
  std::ranges::sort(group.ranks);
  for (const Level& child : level.children) {
    Group part = part_of(child, numbers);
    if (!part.ranks.empty()) group.children.push_back(std::move(part));
  }
  if (group.children.size() == 1) return Group(group.children.front());
  if (group.children.size() == group.ranks.size() && group.kind != Level::Kind::group) group.children.clear();
  std::ranges::sort(group.children, [](const Group& a, const Group& b) { return a.ranks.front() < b.ranks.front(); });
  return group;
}

void add_clusters(const Group& group, std::vector<const Group*>& clusters) {
  if (group.kind != Level::Kind::group) {
    clusters.push_back(&group);
    return;
  }
  for (const Group& child : group.children) add_clusters(child, clusters);
}

}  // namespace

Hierarchy::Hierarchy(int ranks) : Hierarchy(Group{Level::Kind::cluster, all_in_order(ranks), {}}) {}

Hierarchy::Hierarchy(const Platform& platform) : Hierarchy(platform, all_in_order(platform.ranks())) {}

Hierarchy::Hierarchy(const Platform& platform, const std::vector<Rank>& members)
    : Hierarchy(part_of(platform.levels, numbers_among(members, platform.ranks()))) {}

std::vector<const Hierarchy::Group*> Hierarchy::clusters() const {
  std::vector<const Group*> clusters;
  add_clusters(whole(), clusters);
  return clusters;
}

Hierarchy Hierarchy::of_clusters() const {
  const std::vector<const Group*> all = clusters();
  if (all.size() == 1) return *this;
  Group flat{Level::Kind::group, whole().ranks, {}};
  for (const Group* cluster : all) flat.children.push_back(*cluster);
  return Hierarchy(std::move(flat));
}

}  // namespace tombolo
