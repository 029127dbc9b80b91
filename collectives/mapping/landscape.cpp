#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/landscape.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

using Group = Landscape::Group;

std::vector<Rank> upwards(int ranks) {
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// The number that each rank of the platform has among the members; -1 for others.
std::vector<Rank> numbers(int ranks, const std::vector<Rank>& members) {
  std::vector<Rank> numbers(static_cast<std::size_t>(ranks), -1);
  for (std::size_t member = 0; member < members.size(); ++member) {
    const Rank rank = members[member];
    if (rank < 0 || rank >= ranks || numbers[static_cast<std::size_t>(rank)] >= 0) {
      throw Error(fmt::format("rank {} as member {} of a platform of {} ranks", rank, member, ranks),
                  "name ranks of the platform, each once");
    }
    numbers[static_cast<std::size_t>(rank)] = static_cast<Rank>(member);
  }
  return numbers;
}

Group part_of(const Level& level, const std::vector<Rank>& numbers) {
  Group group{level.kind, {}, {}};
  for (const Rank rank : level.ranks) {
    const Rank number = numbers[static_cast<std::size_t>(rank)];
    if (number >= 0) group.ranks.push_back(number);
  }
  std::sort(group.ranks.begin(), group.ranks.end());
  for (const Level& child : level.children) {
    Group part = part_of(child, numbers);
    if (!part.ranks.empty()) group.children.push_back(std::move(part));
  }
  if (group.children.size() == 1) return Group(group.children.front());
  if (group.children.size() == group.ranks.size() && group.kind != Level::Kind::group) group.children.clear();
  std::sort(group.children.begin(), group.children.end(),
            [](const Group& a, const Group& b) { return a.ranks.front() < b.ranks.front(); });
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

Landscape::Landscape(int ranks) : Landscape(Group{Level::Kind::cluster, upwards(ranks), {}}) {}

Landscape::Landscape(const Platform& platform) : Landscape(platform, upwards(platform.ranks())) {}

Landscape::Landscape(const Platform& platform, const std::vector<Rank>& members)
    : Landscape(part_of(platform.levels, numbers(platform.ranks(), members))) {}

std::vector<const Landscape::Group*> Landscape::clusters() const {
  std::vector<const Group*> clusters;
  add_clusters(whole(), clusters);
  return clusters;
}

Landscape Landscape::of_clusters() const {
  const std::vector<const Group*> all = clusters();
  if (all.size() == 1) return *this;
  Group flat{Level::Kind::group, whole().ranks, {}};
  for (const Group* cluster : all) flat.children.push_back(*cluster);
  return Landscape(std::move(flat));
}

}  // namespace tombolo
