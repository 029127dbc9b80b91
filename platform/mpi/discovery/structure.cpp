#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/clustering/measurement_plan.hpp>
#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/mpi/discovery/latency.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>
#include <tombolo/platform/mpi/discovery/pairs.hpp>
#include <tombolo/platform/mpi/discovery/structure.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr std::size_t first_landmarks = 12;

void write(const HostGroup& group, Figures& figures) {
  figures.push_back(static_cast<std::int64_t>(group.hosts.size()));
  figures.insert(figures.end(), group.hosts.begin(), group.hosts.end());
  figures.push_back(static_cast<std::int64_t>(group.groups.size()));
  for (const HostGroup& child : group.groups) write(child, figures);
}

HostGroup read(const Figures& figures, std::size_t& at) {
  HostGroup group;
  const auto hosts = static_cast<std::size_t>(figures[at++]);
  for (std::size_t h = 0; h < hosts; ++h) group.hosts.push_back(static_cast<int>(figures[at++]));
  const auto children = static_cast<std::size_t>(figures[at++]);
  for (std::size_t c = 0; c < children; ++c) group.groups.push_back(read(figures, at));
  return group;
}

std::vector<int> shared(const Team& team, const std::vector<int>& ints) {
  const Figures all = broadcast(team, Figures(ints.begin(), ints.end()));
  return {all.begin(), all.end()};
}

}  // namespace

HostGroup broadcast(const Team& team, const HostGroup& groups) {
  Figures figures;
  if (team.rank == 0) write(groups, figures);
  figures = broadcast(team, figures);
  std::size_t at = 0;
  HostGroup read_back = read(figures, at);
  return team.rank == 0 ? groups : read_back;  // names are needed on rank 0 only
}

Structure find_structure(Team& team, const AllOverheads& overheads, bool all_pairs, const StatedLevels& stated,
                         double bound) {
  Structure found;
  const Picoseconds until = team.until;
  const Picoseconds begin = machine::now();
  if (all_pairs) {
    if (!machine::simulated()) team.until = begin + (until - begin) / 2;  // the rest is for refinement
    found.latencies = measure_all_latencies(team, overheads);
    team.until = until;
    refine_latencies(team, overheads, found.latencies, bound);
    if (team.rank == 0) found.groups = find_clusters(found.latencies, stated, bound);
  } else {
    found.latencies = Latencies(team.rank == 0 ? team.size : 0);
    std::vector<int> candidates(static_cast<std::size_t>(team.size));
    std::iota(candidates.begin(), candidates.end(), 0);
    std::mt19937 random(1);
    shuffle_alike(candidates, random);
    std::set<int> landmarks;
    std::vector<int> next(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(
                                                                       std::min(first_landmarks, candidates.size())));
    bool again = machine::simulated();  // nothing disturbs a simulation
    while (!next.empty()) {
      landmarks.insert(next.begin(), next.end());
      if (team.rank == 0) team.progress(fmt::format("{} landmarks", landmarks.size()));
      measure_landmark_latencies(team, overheads, next, found.latencies);
      std::vector<int> missing;
      if (team.rank == 0 && !again && were_disturbed(found.latencies)) {
        missing.assign(landmarks.begin(), landmarks.end());
        again = true;
      } else if (team.rank == 0) {
        found.groups = find_clusters(found.latencies, stated, bound);
        missing = missing_landmarks(found.groups, found.latencies, landmarks, candidates, bound);
      }
      next = shared(team, missing);
    }
    // Doubts are greatest where a disturbance has taken the time.
    team.until = std::max(until, machine::now() + (until - begin) / 4);
    refine_latencies(team, overheads, found.latencies, bound);
    if (team.rank == 0) found.groups = find_clusters(found.latencies, stated, bound);
    found.unmeasured = fmt::format("latencies of {} hosts but to {} landmarks among them", team.size, landmarks.size());
  }
  found.groups = broadcast(team, found.groups);
  return found;
}

namespace {

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
  LinkRounds rounds;
};

Parts parts_of(const std::vector<HostGroup*>& clusters) {
  Parts parts;
  for (const HostGroup* const cluster : clusters) {
    const int first = static_cast<int>(parts.hosts.size());
    parts.first.push_back(first);
    for (const HostGroup& part : cluster->groups) parts.hosts.push_back(part.hosts);
    const LinkRounds rounds = link_rounds(*cluster);
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

// What each message gets of the total.
double each_of(const LinkRates& link) {
  return link.flows == 0 ? std::numeric_limits<double>::infinity()
                         : static_cast<double>(link.total.value) / static_cast<double>(link.flows);
}

// Returns what each message gets inside each part while half of the hosts of every part send to the other half, all at
// once: as many messages as between parts. If that is no more than between them, parts have no links of their own:
// their cluster has a backbone. Infinite for a single host.
std::vector<double> each_inside(Team& team, const std::vector<std::vector<int>>& parts) {
  std::vector<std::vector<int>> halves;
  std::vector<std::pair<int, int>> all;
  for (const std::vector<int>& part : parts) {
    const auto middle = part.begin() + std::ssize(part) / 2;
    if (part.size() > 1) all.emplace_back(std::ssize(halves), std::ssize(halves) + 1);
    halves.emplace_back(part.begin(), middle);
    halves.emplace_back(middle, part.end());
  }
  const std::vector<LinkRates> links = measure_links(team, halves, {all}, {});
  const int count = static_cast<int>(halves.size());
  std::vector<double> each;
  for (int half = 0; half < count; half += 2) each.push_back(each_of(links[link_index(half, half + 1, count)]));
  return each;
}

// Splits the clusters of `groups` by the load; returns true if any part of one may be split further.
bool split_once(Team& team, HostGroup& groups, const std::vector<LoadedPair>& load, double bound) {
  const HostGroup before = groups;
  if (team.rank == 0) split(groups, load, bound);
  groups = broadcast(team, groups);

  std::vector<HostGroup*> clusters;
  collect_split(before, groups, clusters);
  if (clusters.empty()) return false;
  const Parts parts = parts_of(clusters);
  const auto measure = [&] { return measure_links(team, parts.hosts, parts.rounds, {}); };
  const auto any_slows = [bound](const LinkRates& link) { return slows(link, bound); };
  const std::vector<LinkRates> links = measure();
  // Again on real machines: a core that was busy for a moment looks like a link that hosts share.
  const bool doubted = !machine::simulated() && std::ranges::any_of(links, any_slows);
  const std::vector<LinkRates> again = doubted ? measure() : links;
  const bool suspected = std::ranges::any_of(again, any_slows);
  const std::vector<double> inside =
      suspected ? each_inside(team, parts.hosts) : std::vector<double>(parts.hosts.size(), 0);
  const int count = static_cast<int>(parts.hosts.size());
  bool any = false;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const int first = parts.first[c];
    const int end = first + static_cast<int>(clusters[c]->groups.size());
    bool confirmed = false;
    for (int a = first; a < end; ++a) {
      for (int b = a + 1; b < end; ++b) {
        const std::size_t at = link_index(a, b, count);
        const double between = std::max(each_of(links[at]), each_of(again[at]));
        const bool own =
            between * (1 + bound) < std::min(inside[static_cast<std::size_t>(a)], inside[static_cast<std::size_t>(b)]);
        confirmed = confirmed || (own && slows(links[at], bound) && slows(again[at], bound));
      }
    }
    if (!confirmed) clusters[c]->groups.clear();
    any = any || confirmed;
  }
  return any;
}

}  // namespace

std::vector<LoadedPair> split_by_shared_links(Team& team, HostGroup& groups, double bound) {
  std::vector<LoadedPair> load = measure_load(team, cluster_hosts(groups));
  // The thinnest links have the clearest contrast, which hides that of others inside the parts. Each time parts get
  // smaller, so this ends.
  while (split_once(team, groups, load, bound)) continue;
  return load;
}

}  // namespace tombolo::discovery
