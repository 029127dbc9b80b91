#include <algorithm>
#include <utility>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/measurement_plan.hpp>
#include <tombolo/platform/mpi/discovery/shared_line.hpp>
#include <tombolo/platform/mpi/discovery/uplinks.hpp>
#include <tombolo/platform/mpi/machine.hpp>

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

bool measure_again_alone(Team& team, const std::vector<std::vector<int>>& clusters, std::vector<LinkRates>& links,
                         const std::vector<BytesPerSecond>& ports, double bound, Picoseconds more) {
  constexpr std::size_t few = 3;
  const auto count = static_cast<int>(clusters.size());
  std::vector<bool> done(links.size(), false);
  bool faster = false;
  while (true) {
    Figures numbers;
    if (team.rank == 0 && machine::now() < team.until) {
      std::vector<BytesPerSecond> rates;
      for (const LinkRates& link : links) rates.push_back(link.one.rate.value);
      std::vector<std::pair<int, int>> doubtful = outrun_pairs(rates, count, bound);
      for (int a = 0; faster && a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
          if (links[link_index(a, b, count)].flows == 0) doubtful.emplace_back(a, b);
        }
      }
      for (const auto& [a, b] : doubtful) {
        if (!faster && numbers.size() == 2 * few) break;
        if (!done[link_index(a, b, count)]) numbers.insert(numbers.end(), {a, b});
      }
    }
    numbers = broadcast(team, numbers);
    if (numbers.empty()) return faster;
    std::vector<std::vector<std::pair<int, int>>> one_by_one;
    for (std::size_t n = 0; n < numbers.size(); n += 2) {
      one_by_one.push_back({{static_cast<int>(numbers[n]), static_cast<int>(numbers[n + 1])}});
    }
    LinkOptions options{.apart = true, .one_flow = true, .ports = ports};
    if (!faster) {
      options.rough = links;
      options.if_faster = true;
    }
    const auto again = measure_links(team, clusters, one_by_one, options);
    bool found = false;
    for (std::size_t l = 0; l < links.size(); ++l) {
      if (again[l].flows == 0) continue;
      done[l] = true;
      const auto before = static_cast<double>(links[l].one.rate.value);
      if (static_cast<double>(again[l].one.rate.value) <= (1 + bound) * before) continue;
      links[l] = again[l];
      found = true;
    }
    if (!found) return faster;
    if (!faster) team.until = std::max(team.until, machine::now() + more);
    faster = true;
  }
}

namespace {

// Returns pairs that have no cluster in common: two at least where there are two, as one pair would tell nothing.
std::vector<std::pair<int, int>> disjoint(const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::pair<int, int>> most;
  for (const auto& begin : pairs) {
    std::vector<std::pair<int, int>> some = {begin};
    for (const auto& [from, to] : pairs) {
      const bool is_free =
          std::ranges::none_of(some, [&](const auto& other) { return other.first == from || other.second == to; });
      if (is_free) some.emplace_back(from, to);
    }
    if (some.size() > most.size()) most = std::move(some);
    if (most.size() > 1) break;
  }
  return most;
}

// Returns true if all messages one way leave one group or cluster, or enter it: then its uplink is the line.
bool is_way_out(const SharedLine& line, const HostGroup& groups) {
  return std::ranges::any_of(spans_of(groups), [&](const GroupSpan& span) {
    return std::ranges::all_of(line.pairs,
                               [&](const auto& pair) { return span.holds(pair.first) && !span.holds(pair.second); }) ||
           std::ranges::all_of(line.pairs,
                               [&](const auto& pair) { return span.holds(pair.second) && !span.holds(pair.first); });
  });
}

}  // namespace

std::vector<SharedLine> measure_lines(Team& team, const HostGroup& groups,
                                      const std::vector<std::vector<int>>& clusters,
                                      const std::vector<LinkRates>& links, const std::vector<BytesPerSecond>& ports,
                                      double bound) {
  const auto count = static_cast<int>(clusters.size());
  const auto first = [&](int cluster) { return clusters[static_cast<std::size_t>(cluster)].front(); };
  const auto number_of = [&](const std::pair<int, int>& pair) { return link_index(pair.first, pair.second, count); };
  std::vector<BytesPerSecond> rates(links.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const LinkRates& link = links[link_index(a, b, count)];
      const BytesPerSecond hosts =
          std::min(ports[static_cast<std::size_t>(first(a))], ports[static_cast<std::size_t>(first(b))]);
      const bool by_hosts = link.flows < 2 && hosts > 0 && is_filled_by_hosts(link, hosts, bound);
      if (link.flows > 0 && !by_hosts) rates[link_index(a, b, count)] = link.total.value;
    }
  }
  std::vector<SharedLine> found;
  for (SharedLine& line : likely_lines(rates, count, bound / 2)) {
    const bool elsewhere = !team.quick && is_way_out(line, groups);
    if (elsewhere || !in_time(team, machine::now() > team.until)) continue;
    std::vector<std::pair<int, int>> known = line.pairs;
    std::erase_if(known, [&](const auto& pair) { return rates[number_of(pair)] == 0; });
    Flows flows;
    std::vector<LargeMessage> messages;
    for (const auto& pair : disjoint(known)) {
      flows.emplace_back(first(pair.first), first(pair.second));
      messages.push_back(links[number_of(pair)].one);
    }
    const Picoseconds lasting = long_enough(messages, 2);
    last(messages, lasting, team.probe.largest() / 2);
    const Measured total =
        known_to_all(team, measure_flows(team, flows, messages, {.lasting = lasting}), flows.front().first);
    if (static_cast<double>(total.value) > (1 + bound) * static_cast<double>(line.rate.value)) continue;
    line.rate = {.value = std::min(total.value, line.rate.value), .error = total.error};
    found.push_back(std::move(line));
  }
  return found;
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
      measure_uplinks(team, clusters, links, {}, {{.inside = line.here, .outside = line.beyond}}, backbones, bound);
  const BytesPerSecond together = all.totals.front().value;
  const int count = static_cast<int>(clusters.size());
  const BytesPerSecond apart =
      std::min(sum_of_best(line.here, line.beyond, links, count), sum_of_best(line.beyond, line.here, links, count));
  return together > 0 && static_cast<double>(together) * (1 + bound) < static_cast<double>(apart);
}

}  // namespace tombolo::discovery
