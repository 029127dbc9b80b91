#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <fmt/format.h>

#include <tombolo/platform/clustering/landmarks.hpp>
#include <tombolo/platform/measuring/shuffle_alike.hpp>
#include <tombolo/platform/mpi/discovery/latency.hpp>
#include <tombolo/platform/mpi/discovery/refine.hpp>
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

Structure find_structure(Team& team, Overheads mine, bool all_pairs, const StatedLevels& stated, double bound) {
  Structure found;
  if (all_pairs) {
    const Picoseconds until = team.until;
    const Picoseconds now = machine::now();
    if (!machine::simulated()) team.until = now + (until - now) / 2;  // the rest is for refinement
    found.latencies = measure_all_latencies(team, mine);
    team.until = until;
    refine_latencies(team, mine, found.latencies, bound);
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
    while (!next.empty()) {
      landmarks.insert(next.begin(), next.end());
      if (team.rank == 0) team.progress(fmt::format("{} landmarks", landmarks.size()));
      measure_landmark_latencies(team, mine, next, found.latencies);
      std::vector<int> missing;
      if (team.rank == 0) {
        found.groups = find_clusters(found.latencies, stated, bound);
        missing = missing_landmarks(found.groups, found.latencies, landmarks, candidates, bound);
      }
      next = shared(team, missing);
    }
    if (!machine::simulated()) {  // without refinement the clusters stay the same
      refine_latencies(team, mine, found.latencies, bound);
      if (team.rank == 0) found.groups = find_clusters(found.latencies, stated, bound);
    }
    found.unmeasured = fmt::format("latencies of {} hosts but to {} landmarks among them", team.size, landmarks.size());
  }
  found.groups = broadcast(team, found.groups);
  return found;
}

}  // namespace tombolo::discovery
