#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/mapping/message_times.hpp>

namespace tombolo {

namespace {

using Groups = std::vector<const Hierarchy::Group*>;

Partition partition_of(const Groups& groups) {
  Partition partition;
  for (const Hierarchy::Group* group : groups) partition.push_back(group->ranks);
  return partition;
}

// Returns the children of all groups; a group without children stays.
Groups split(const Groups& groups) {
  Groups parts;
  for (const Hierarchy::Group* group : groups) {
    if (group->children.empty()) parts.push_back(group);
    for (const Hierarchy::Group& child : group->children) parts.push_back(&child);
  }
  return parts;
}

// Returns the groups of each level, outermost first, without the whole.
std::vector<Groups> levels_of(const Hierarchy& hierarchy) {
  std::vector<Groups> levels;
  Groups groups{&hierarchy.whole()};
  for (Groups inside = split(groups); inside.size() > groups.size(); inside = split(groups)) {
    groups = std::move(inside);
    levels.push_back(groups);
  }
  return levels;
}

void add_new(std::vector<NestedGroups>& all, std::string name, std::vector<Partition> partitions) {
  NestedGroups made(std::move(name), std::move(partitions));
  if (std::ranges::find(all, made) == all.end()) all.push_back(std::move(made));
}

// Leaders of a cluster collect its outgoing blocks, so nearly all bytes travel twice. Aggregation cannot pay if the
// second transfer takes longer than the longest latency plus the per-message costs of a rank.
bool collecting_may_pay(const Request& request, const Model& model) {
  std::int64_t exchanged = 0;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    exchanged = plus(exchanged, request.exchange.sends(rank).total());
  }
  const Bytes own = exchanged / request.ranks * request.element_bytes;
  Picoseconds again = never;
  Picoseconds empty = never;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    const Rank next = (rank + 1) % request.ranks;
    again = std::min(again, message_time_parts(model, rank, next, own).gap);
    empty = std::min(empty, message_time_parts(model, rank, next, 0).gap);
  }
  return again <= plus(model.longest_latency(), request.ranks * empty);
}

}  // namespace

std::vector<NestedGroups> groups_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                     const Hierarchy& hierarchy) {
  if (!algorithm.follows_groups() || request.ranks < 2) return {};
  if (sizes(request.operation) != Sizes::exchange) return level_groups(hierarchy);
  if (request.knowledge == Knowledge::as_in_mpi || !collecting_may_pay(request, model)) return {};
  return cluster_groups(hierarchy);
}

std::vector<NestedGroups> level_groups(const Hierarchy& hierarchy) {
  std::vector<NestedGroups> all;
  std::vector<Partition> partitions;
  for (const Groups& groups : levels_of(hierarchy)) partitions.push_back(partition_of(groups));
  if (!partitions.empty()) add_new(all, "all levels", partitions);
  const Groups clusters = hierarchy.clusters();
  if (clusters.size() > 1) add_new(all, "clusters", {partition_of(clusters)});
  if (!partitions.empty()) add_new(all, "outermost groups", {partitions.front()});
  return all;
}

std::vector<NestedGroups> cluster_groups(const Hierarchy& hierarchy) {
  std::vector<NestedGroups> all;
  const auto add = [&](const Groups& groups, const char* what) {
    if (groups.size() < 2 || static_cast<int>(groups.size()) == hierarchy.ranks()) return;
    add_new(all, fmt::format("{} {}", groups.size(), what), {partition_of(groups)});
  };
  for (const Groups& groups : levels_of(hierarchy)) add(groups, "groups");
  add(hierarchy.clusters(), "clusters");
  return all;
}

}  // namespace tombolo
