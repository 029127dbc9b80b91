#include <utility>
#include <vector>

#include <tombolo/platform/clustering/link_rounds.hpp>
#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/description/platform.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>
#include <tombolo/platform/mpi/discovery/ports.hpp>
#include <tombolo/platform/mpi/discovery/shared_links.hpp>
#include <tombolo/platform/mpi/discovery/structure.hpp>

namespace tombolo::discovery {

namespace {

using Rounds = std::vector<std::vector<std::pair<int, int>>>;

void split(HostGroup& group, const std::vector<LoadedPair>& load, double bound) {
  for (HostGroup& child : group.groups) split(child, load, bound);
  if (!group.groups.empty()) return;
  const auto parts = split_by_load(group.hosts, load, bound);
  if (parts.size() < 2) return;
  for (const std::vector<int>& part : parts) group.groups.push_back({.name = "", .hosts = part, .groups = {}});
}

// Collects the clusters of `before` that are groups now.
void collect_split(const HostGroup& before, HostGroup& now, std::vector<HostGroup*>& found) {
  if (before.groups.empty() && !now.groups.empty()) found.push_back(&now);
  for (std::size_t g = 0; g < before.groups.size(); ++g) collect_split(before.groups[g], now.groups[g], found);
}

// The parts of all split clusters, numbered consecutively, and the rounds for the links between the parts of each
// cluster.
struct Parts {
  std::vector<std::vector<int>> hosts;
  std::vector<int> first;  // the first part of each split cluster
  Rounds rounds;
};

Parts parts_of(const std::vector<HostGroup*>& clusters) {
  Parts parts;
  for (const HostGroup* const cluster : clusters) {
    const int first = static_cast<int>(parts.hosts.size());
    parts.first.push_back(first);
    for (const HostGroup& part : cluster->groups) parts.hosts.push_back(part.hosts);
    const Rounds rounds = link_rounds(*cluster);
    if (parts.rounds.size() < rounds.size()) parts.rounds.resize(rounds.size());
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      for (const auto& [a, b] : rounds[r]) parts.rounds[r].emplace_back(first + a, first + b);
    }
  }
  return parts;
}

bool slows(const LinkRates& link, double bound) {
  return link.flows > 1 && static_cast<double>(link.total.value) * (1 + bound) <
                               static_cast<double>(link.one.rate.value) * static_cast<double>(link.flows);
}

}  // namespace

void split_by_shared_links(Team& team, HostGroup& groups, double bound) {
  const HostGroup before = groups;
  const std::vector<LoadedPair> load = measure_load(team, cluster_hosts(groups));
  if (team.rank == 0) split(groups, load, bound);
  groups = broadcast(team, groups);

  std::vector<HostGroup*> clusters;
  collect_split(before, groups, clusters);
  if (clusters.empty()) return;
  const Parts parts = parts_of(clusters);
  const std::vector<LinkRates> links = measure_links(team, parts.hosts, parts.rounds, {});
  const int count = static_cast<int>(parts.hosts.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const int first = parts.first[c];
    const int end = first + static_cast<int>(clusters[c]->groups.size());
    bool confirmed = false;
    for (int a = first; a < end; ++a) {
      for (int b = a + 1; b < end; ++b) confirmed = confirmed || slows(links[link_index(a, b, count)], bound);
    }
    if (!confirmed) clusters[c]->groups.clear();
  }
}

}  // namespace tombolo::discovery
