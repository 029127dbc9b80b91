#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

std::size_t listed(const Partition& partition) {
  std::size_t ranks = 0;
  for (const std::vector<Rank>& group : partition) ranks += group.size();
  return ranks;
}

// By rank, the index of its group.
std::vector<int> group_of_each(const Partition& partition, std::size_t ranks) {
  constexpr auto remedy = "list every rank in one group of each level";
  if (listed(partition) != ranks) {
    throw Error(fmt::format("groups of {} and of {} ranks", ranks, listed(partition)), remedy);
  }
  std::vector<int> groups(ranks, -1);
  for (std::size_t group = 0; group < partition.size(); ++group) {
    for (const Rank rank : partition[group]) {
      if (rank < 0 || static_cast<std::size_t>(rank) >= ranks || groups[static_cast<std::size_t>(rank)] >= 0) {
        throw Error(fmt::format("rank {} in group {} of {} ranks", rank, group, ranks), remedy);
      }
      groups[static_cast<std::size_t>(rank)] = static_cast<int>(group);
    }
  }
  return groups;
}

}  // namespace

NestedGroups::NestedGroups(std::string name, std::vector<Partition> partitions) {
  if (partitions.empty()) throw Error("a mapping of no groups", "give one level at least, or no mapping");
  Held held{.name = std::move(name), .partitions = std::move(partitions)};
  for (const std::vector<Rank>& group : held.partitions.back()) {
    held.order.insert(held.order.end(), group.begin(), group.end());
  }
  const std::size_t ranks = held.order.size();
  std::vector<std::vector<int>> groups_of;  // by level from 1 on, then by rank
  for (const Partition& each : held.partitions) groups_of.push_back(group_of_each(each, ranks));
  const auto group_at = [](const std::vector<int>& level, Rank rank) { return level[static_cast<std::size_t>(rank)]; };
  std::ranges::stable_sort(held.order, [&](Rank a, Rank b) {
    for (const std::vector<int>& level : groups_of) {
      if (group_at(level, a) != group_at(level, b)) return group_at(level, a) < group_at(level, b);
    }
    return false;
  });
  const auto size = static_cast<int>(ranks);
  const auto rank_at = [&](int place) { return held.order[static_cast<std::size_t>(place)]; };
  held.places.resize(ranks);
  for (int place = 0; place < size; ++place) held.places[static_cast<std::size_t>(rank_at(place))] = place;

  held.groups.emplace_back(ranks, Group{0, size});
  held.indices.emplace_back(ranks, 0);
  for (const std::vector<int>& level : groups_of) {
    std::vector<Group> groups(ranks);
    std::vector<int> indices(ranks);
    for (int first = 0, index = 0, end = 0; first < size; first = end) {
      const Group& around = held.groups.back()[static_cast<std::size_t>(first)];
      index = around.first == first ? 0 : index + 1;
      const auto joins = [&](int place) { return group_at(level, rank_at(place)) == group_at(level, rank_at(first)); };
      for (end = first + 1; end < around.end() && joins(end);) ++end;
      std::fill(groups.begin() + first, groups.begin() + end, Group{first, end - first});
      std::fill(indices.begin() + first, indices.begin() + end, index);
    }
    held.groups.push_back(std::move(groups));
    held.indices.push_back(std::move(indices));
  }
  held_ = std::make_shared<const Held>(std::move(held));
}

int NestedGroups::common_level(int a, int b) const {
  int level = levels() - 1;
  while (!(group(level, a) == group(level, b))) --level;
  return level;
}

bool NestedGroups::operator==(const NestedGroups& other) const {
  return held_ == other.held_ || (held_ && other.held_ && held_->partitions == other.held_->partitions);
}

}  // namespace tombolo
