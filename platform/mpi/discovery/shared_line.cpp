#include <algorithm>
#include <utility>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/measurement_plan.hpp>
#include <tombolo/platform/mpi/discovery/shared_line.hpp>
#include <tombolo/platform/mpi/discovery/uplinks.hpp>

namespace tombolo::discovery {

namespace {

// The sum over some clusters of what the best of their links to the others gets.
BytesPerSecond sum_of_best(const std::vector<int>& some, const std::vector<int>& others,
                           const std::vector<LinkRates>& links, int clusters) {
  BytesPerSecond sum = 0;
  for (const int a : some) {
    BytesPerSecond best = 0;
    for (const int b : others) best = std::max(best, links[link_index(a, b, clusters)].total.value);
    sum += best;
  }
  return sum;
}

}  // namespace

std::optional<LineGuess> guess_line(const HostGroup& groups, const std::vector<LinkRates>& links) {
  const auto clusters = cluster_hosts(groups);
  std::vector<BytesPerSecond> rates;
  for (const LinkRates& link : links) rates.push_back(link.total.value);
  const auto line = likely_line(clusters, rates);
  if (!line) return {};
  LineGuess guess{.here = {}, .beyond = {}, .groups = groups};
  group_at_lines(guess.groups, {*line});
  if (guess.groups == groups) return {};
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const bool is_here = std::ranges::binary_search(line->side, clusters[c].front());
    (is_here ? guess.here : guess.beyond).push_back(static_cast<int>(c));
  }
  return guess;
}

bool is_shared(Team& team, const LineGuess& line, const std::vector<std::vector<int>>& clusters,
               std::vector<LinkRates>& links, const std::vector<BytesPerSecond>& ports,
               const std::vector<BytesPerSecond>& backbones, double bound) {
  std::vector<std::vector<std::pair<int, int>>> one_by_one;
  for (const int a : line.here) {
    for (const int b : line.beyond) one_by_one.push_back({std::minmax(a, b)});
  }
  const auto again = measure_links(team, clusters, one_by_one, {.apart = true, .ports = ports});
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (again[l].flows > 0) links[l] = again[l];
  }
  const Uplinks all =
      measure_uplinks(team, clusters, links, {{.inside = line.here, .outside = line.beyond}}, backbones, bound);
  const BytesPerSecond together = all.totals.front().value;
  const int count = static_cast<int>(clusters.size());
  const BytesPerSecond apart =
      std::min(sum_of_best(line.here, line.beyond, links, count), sum_of_best(line.beyond, line.here, links, count));
  return together > 0 && static_cast<double>(together) * (1 + bound) < static_cast<double>(apart);
}

}  // namespace tombolo::discovery
