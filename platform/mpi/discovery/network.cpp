#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/clustering/measurement_plan.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>
#include <tombolo/platform/mpi/discovery/network.hpp>
#include <tombolo/platform/mpi/discovery/pairs.hpp>
#include <tombolo/platform/mpi/discovery/ports.hpp>
#include <tombolo/platform/mpi/discovery/shared_line.hpp>
#include <tombolo/platform/mpi/discovery/structure.hpp>
#include <tombolo/platform/mpi/discovery/uplinks.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo::discovery {

namespace {

// All pairs are measured up to this number of hosts per second of the budget, and up to this number of hosts in all.
constexpr double hosts_per_second = 16;
constexpr int most_all_pairs = 128;
// Below this budget, in seconds, total rates of several messages are not measured.
constexpr double quick_budget = 4;
// So much of the budget is enough to measure the rates of a pair of hosts.
constexpr double part_of_port_round = 0.05;

// Schedules the stages: each stage may last until a given part of the budget is spent. A late stage gets at least half
// of its own part, since a rough figure of everything is worth more than a precise one of something.
class Stages {
 public:
  Stages(Team& team, const DiscoveryOptions& options) : team_(&team), options_(&options), begin_(machine::now()) {}

  void begin(const std::string& name, double until_part) {
    team_->until = std::max(begin_ + spent(until_part), machine::now() + spent((until_part - before_) / 2));
    before_ = until_part;
    team_->progress = [this, name](const std::string& what) {
      if (options_->progress) options_->progress(name, what);
    };
    if (team_->rank == 0) team_->progress("");
  }

  /// Lets the stage last so many times the budget from now on, if that is later.
  void prolong(double times) { team_->until = std::max(team_->until, machine::now() + spent(times)); }

  /// Ends the stage once this part of the budget is spent from now on, if that is sooner.
  void shorten(double part) { team_->until = std::min(team_->until, machine::now() + spent(part)); }

  /// This part of the budget, or so many times it.
  Picoseconds spent(double part) const { return std::llround(part * options_->budget * picoseconds_per_second); }

 private:
  Team* team_;
  const DiscoveryOptions* options_;
  Picoseconds begin_;
  double before_ = 0;
};

// Returns the rate of copies in memory; unknown in a simulation, where memory takes no time.
Measured copy_rate(bool quick) {
  if (machine::simulated()) return {};
  constexpr std::size_t bytes = 1 << 22;
  std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes, 0);
  Figures rates;
  for (int i = 0; i < (quick ? 3 : 7); ++i) {
    const Picoseconds begin = machine::now();
    std::memcpy(to.data(), from.data(), bytes);
    rates.push_back(transfer_time(bytes, std::max<Picoseconds>(machine::now() - begin, 1)));
    from.front() = static_cast<char>(to.back() + 1);  // keeps the compiler from removing the copies
  }
  return median_of(rates);
}

// Returns true if all hosts of a cluster sent at full speed concurrently, so that no shared resource limits them. A
// single host is excluded: the limit of its port shows only with several messages at a time.
bool is_unlimited(const Uplink& group, const std::vector<std::vector<int>>& clusters,
                  const std::vector<LinkRates>& links, double bound) {
  if (group.inside.size() != 1) return false;
  const int inside = group.inside.front();
  const auto hosts = static_cast<int>(clusters[static_cast<std::size_t>(inside)].size());
  return std::any_of(group.outside.begin(), group.outside.end(), [&](int outside) {
    const LinkRates& link = links[link_index(inside, outside, static_cast<int>(clusters.size()))];
    return hosts > 1 && link.flows == hosts &&
           static_cast<double>(link.total.value) * (1 + bound) >=
               static_cast<double>(link.one.rate.value) * static_cast<double>(hosts);
  });
}

// Returns true if several messages on a link out of the group have slowed each other down.
bool is_filled(const Uplink& group, const std::vector<LinkRates>& links, int clusters) {
  return std::ranges::any_of(group.inside, [&](int inside) {
    return std::ranges::any_of(group.outside, [&](int outside) {
      const LinkRates& link = links[link_index(inside, outside, clusters)];
      return link.flows > 1 && slowed_each_other(link.one.rate.value, link.flows, link.total.value);
    });
  });
}

Figures values(const std::vector<Measured>& all) {
  Figures values;
  for (const Measured& one : all) values.push_back(one.value);
  return values;
}

// Returns the hosts of every cluster, those with the fastest ports first.
std::vector<std::vector<int>> fastest_first(const HostGroup& groups, const std::vector<BytesPerSecond>& ports) {
  std::vector<std::vector<int>> clusters = cluster_hosts(groups);
  for (std::vector<int>& cluster : clusters) {
    std::stable_sort(cluster.begin(), cluster.end(), [&](int a, int b) {
      return ports[static_cast<std::size_t>(a)] > ports[static_cast<std::size_t>(b)];
    });
  }
  return clusters;
}

// Returns the numbers that the clusters of some groups had in others, whose clusters are the same.
std::vector<int> numbers_before(const HostGroup& before, const HostGroup& after) {
  const auto had = cluster_hosts(before);
  std::vector<int> was;
  for (const auto& hosts : cluster_hosts(after)) {
    was.push_back(static_cast<int>(std::ranges::find(had, hosts) - had.begin()));
  }
  return was;
}

// The figures of pairs of clusters, whose numbers were these.
std::vector<LinkRates> reordered(const std::vector<LinkRates>& links, const std::vector<int>& was) {
  const int count = static_cast<int>(was.size());
  std::vector<LinkRates> found(links.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const auto [low, high] = std::minmax(was[static_cast<std::size_t>(a)], was[static_cast<std::size_t>(b)]);
      LinkRates& link = found[link_index(a, b, count)] = links[link_index(low, high, count)];
      if (was[static_cast<std::size_t>(a)] > was[static_cast<std::size_t>(b)]) std::swap(link.there, link.back);
    }
  }
  return found;
}

// Returns the rounds without pairs of clusters whose link one message has filled: where it got less than both of its
// hosts can, several get no more together.
std::vector<std::vector<std::pair<int, int>>> filled_by_hosts(std::vector<std::vector<std::pair<int, int>>> rounds,
                                                              const std::vector<std::vector<int>>& clusters,
                                                              const std::vector<LinkRates>& links,
                                                              const std::vector<BytesPerSecond>& ports, double bound) {
  const auto port = [&](int cluster) {
    return ports[static_cast<std::size_t>(clusters[static_cast<std::size_t>(cluster)].front())];
  };
  const auto is_alone = [&](int cluster) { return clusters[static_cast<std::size_t>(cluster)].size() < 2; };
  for (auto& round : rounds) {
    std::erase_if(round, [&](const std::pair<int, int>& pair) {
      const auto [a, b] = pair;
      const LinkRates& link = links[link_index(a, b, static_cast<int>(clusters.size()))];
      const auto slower = static_cast<double>(std::min(port(a), port(b)));
      return link.flows == 0 || is_alone(a) || is_alone(b) ||
             static_cast<double>(link.one.rate.value) * (1 + bound) < slower;
    });
  }
  std::erase_if(rounds, [](const auto& round) { return round.empty(); });
  return rounds;
}

// Returns rounds of one pair each.
std::vector<std::vector<std::pair<int, int>>> one_by_one(const std::vector<std::vector<std::pair<int, int>>>& rounds) {
  std::vector<std::vector<std::pair<int, int>>> single;
  for (const auto& round : rounds) {
    for (const auto& pair : round) single.push_back({pair});
  }
  return single;
}

// Returns the groups and clusters whose way out is to be measured, and empty ones in place of the others, by group. In
// a hurry, of single clusters only that of rank 0 is, where most data begins and ends, and those whose hosts have
// filled a link together: several links may be one.
std::vector<Uplink> ways_out(const Network& found, const std::vector<std::vector<int>>& clusters, bool quick,
                             double bound) {
  const auto has_rank_0 = [](const std::vector<int>& cluster) { return std::ranges::count(cluster, 0) > 0; };
  const auto home = static_cast<int>(std::ranges::find_if(clusters, has_rank_0) - clusters.begin());
  std::vector<Uplink> groups;  // the whole platform has no clusters outside and hence no uplink
  for (const GroupSpan& span : spans_of(found.groups)) {
    Uplink& group = groups.emplace_back();
    for (int c = 0; c < std::ssize(clusters); ++c) (span.holds(c) ? group.inside : group.outside).push_back(c);
    group.in_any_case = quick && std::ranges::count(group.inside, home) > 0;
    group.by_all = !quick || is_filled(group, found.links, static_cast<int>(clusters.size()));
    const bool hurried = !group.by_all && group.inside.size() == 1 && group.inside.front() != home;
    // Between only two clusters, link and uplink are the same.
    if (hurried || clusters.size() == 2 || is_unlimited(group, clusters, found.links, bound)) group = {};
  }
  return groups;
}

// Returns the figures of clusters by group, of which a cluster has no children.
std::vector<Measured> by_group(const std::vector<GroupSpan>& spans, const std::vector<Measured>& of_clusters) {
  std::vector<Measured> figures;
  for (std::size_t cluster = 0; const GroupSpan& span : spans) {
    figures.push_back(span.children.empty() ? of_clusters[cluster++] : Measured{});
  }
  return figures;
}

// Gives clusters whose way out there was no time for what their links tell of it, which is no figure to rely on.
void guess_ways_out(Network& found, const std::vector<std::vector<int>>& clusters,
                    const std::vector<BytesPerSecond>& ports, double bound) {
  std::vector<BytesPerSecond> rates;
  for (const LinkRates& link : found.links) rates.push_back(link.flows > 0 ? link.total.value : 0);
  const std::vector<GroupSpan> spans = spans_of(found.groups);
  for (std::size_t g = 0; g < spans.size(); ++g) {
    if (!spans[g].children.empty() || found.uplinks[g].value > 0) continue;
    const int cluster = spans[g].first;
    const BytesPerSecond rate = shared_way_out(cluster, rates, static_cast<int>(clusters.size()), bound);
    BytesPerSecond of_hosts = 0;
    for (const int host : clusters[static_cast<std::size_t>(cluster)])
      of_hosts += ports[static_cast<std::size_t>(host)];
    const bool limits = static_cast<double>(rate) * (1 + bound) < static_cast<double>(of_hosts);
    if (limits) found.uplinks[g] = {.value = rate, .error = rate};
  }
}

// Gives links that there was no time for the best rates that both of their clusters have to others, which are no
// figures to rely on: a link without any would be taken for as fast as hosts are, and one of which only the total is
// missing for so thin that messages would avoid it. `alone`: by link, true where only the total is.
void fill_in(std::vector<LinkRates>& links, int clusters, const std::vector<bool>& alone) {
  struct Best {
    BytesPerSecond one = 0;
    BytesPerSecond total = 0;
    int flows = 1;
  };
  std::vector<Best> best(static_cast<std::size_t>(clusters));
  const auto of_each = [&](const auto& apply) {
    for (int a = 0; a < clusters; ++a) {
      for (int b = a + 1; b < clusters; ++b) {
        const std::size_t link = link_index(a, b, clusters);
        apply(link, best[static_cast<std::size_t>(a)], best[static_cast<std::size_t>(b)]);
      }
    }
  };
  of_each([&links](std::size_t at, Best& first, Best& second) {
    const LinkRates& link = links[at];
    if (link.flows == 0) return;
    for (Best* const each : {&first, &second}) {
      each->one = std::max(each->one, link.one.rate.value);
      if (link.total.value <= each->total) continue;
      each->total = link.total.value;
      each->flows = link.flows;
    }
  });
  of_each([&](std::size_t at, const Best& first, const Best& second) {
    LinkRates& link = links[at];
    const BytesPerSecond rate = std::min(first.one, second.one);
    if ((link.flows > 0 && !alone[at]) || rate == 0) return;
    if (link.flows == 0) link.one.rate = {.value = rate, .error = rate};
    const BytesPerSecond total = std::max(link.one.rate.value, std::min(first.total, second.total));
    link.total = {.value = total, .error = total};
    link.flows = std::min(first.flows, second.flows);
  });
}

}  // namespace

Network discover_network(Team& team, const DiscoveryOptions& options) {
  Network found;
  Stages stages(team, options);

  stages.begin("overheads of processors", 0.05);
  const bool quick = options.budget < quick_budget;
  const AllOverheads overheads = measure_overheads(team);
  found.overheads = overheads.of_hosts;
  const Measured memory = copy_rate(quick);
  for (const Figures& of_host : gather(team, {memory.value, memory.error})) {
    found.memories.push_back({.value = of_host[0], .error = of_host[1]});
  }

  stages.begin("latencies", 0.35);
  team.quick = quick;
  const bool all_pairs = team.size <= most_all_pairs && team.size <= hosts_per_second * options.budget;
  Structure structure = find_structure(team, overheads, all_pairs, options.stated, options.bound);
  found.latencies = std::move(structure.latencies);
  if (!structure.unmeasured.empty()) found.not_measured.push_back(structure.unmeasured);

  stages.begin("links that hosts share", 0.5);
  std::vector<LoadedPair> load;
  if (!quick) load = split_by_shared_links(team, structure.groups, options.bound);
  found.groups = std::move(structure.groups);

  stages.begin("rates of hosts", 0.6);
  const auto hosts = cluster_hosts(found.groups);
  stages.shorten(part_of_port_round * static_cast<double>(port_rounds(hosts)));
  Ports rates = measure_ports(team, hosts, load, options.bound);
  found.ports = std::move(rates.hosts);

  stages.begin("links between clusters", quick ? 2 : 0.8);
  const Figures ports = broadcast(team, values(found.ports));
  Figures of_clusters = broadcast(team, values(rates.backbones));
  for (std::size_t c = 0; c < of_clusters.size(); ++c) rates.backbones[c].value = of_clusters[c];
  auto clusters = fastest_first(found.groups, ports);
  const bool nested = std::any_of(found.groups.groups.begin(), found.groups.groups.end(),
                                  [](const HostGroup& group) { return !group.groups.empty(); });
  // A rough rate of every link first, then better ones of as many as there is time for.
  auto rounds = link_rounds(found.groups);
  team.quick = true;
  found.links = measure_links(team, clusters, rounds, {.apart = nested && !quick, .one_flow = true, .ports = ports});
  if (quick) stages.prolong(0.5);
  const bool alone_faster =
      measure_again_alone(team, clusters, found.links, ports, options.bound, stages.spent(quick ? 6 : 0));
  team.quick = quick;
  if (alone_faster) {
    rounds = one_by_one(rounds);
    // Others may have been in the way of any: with time, all are measured again.
    for (LinkRates& link : found.links)
      link.one.rate.error = std::max(link.one.rate.error, quick ? 0 : link.one.rate.value);
  }
  // In a hurry, several messages are sent only where one was limited by its hosts.
  const auto shared = quick ? filled_by_hosts(rounds, clusters, found.links, ports, options.bound) : rounds;
  std::vector<bool> alone(found.links.size(), false);
  for (const auto& round : shared) {
    for (const auto& [a, b] : round) alone[link_index(a, b, static_cast<int>(clusters.size()))] = quick;
  }
  if (!shared.empty()) {
    if (quick) stages.begin("several messages between clusters", 3);
    const auto better =
        measure_links(team, clusters, shared, {.apart = nested || alone_faster, .ports = ports, .rough = found.links});
    for (std::size_t link = 0; link < better.size(); ++link) {
      if (better[link].flows == 0) continue;
      found.links[link] = better[link];
      alone[link] = false;
    }
  }

  if (const auto line = quick ? std::nullopt : guess_line(found.groups, found.links)) {
    stages.begin("a line that clusters may share", 0.9);
    if (is_shared(team, *line, clusters, found.links, ports, of_clusters, options.bound)) {
      const std::vector<int> was = numbers_before(found.groups, line->groups);
      found.links = reordered(found.links, was);
      std::vector<Measured> backbones;
      for (const int before : was) backbones.push_back(rates.backbones[static_cast<std::size_t>(before)]);
      rates.backbones = std::move(backbones);
      of_clusters = values(rates.backbones);
      found.groups = line->groups;
      clusters = fastest_first(found.groups, ports);
    }
  }

  // In a hurry, links that share a line cannot be told from a busy machine.
  if (alone_faster && (!quick || machine::simulated())) {
    stages.begin("lines that links share", quick ? 3 : 0.95);
    if (quick) stages.prolong(2);
    found.lines = measure_lines(team, found.groups, clusters, found.links, ports, options.bound);
  }

  stages.begin("links of clusters to all others", !quick ? 1 : shared.empty() ? 4 : 5);
  const std::vector<Uplink> groups = ways_out(found, clusters, quick, options.bound);
  found.backbones = by_group(spans_of(found.groups), rates.backbones);
  const Uplinks uplinks = measure_uplinks(team, clusters, found.links, found.lines, groups, of_clusters, options.bound);
  found.uplinks = uplinks.totals;
  if (quick) guess_ways_out(found, clusters, ports, options.bound);
  int left_out = 0;
  if (!quick && clusters.size() > 1) {
    left_out = measure_group_backbones(team, found.groups, clusters, found.links, found.lines, values(found.uplinks),
                                       found.backbones, options.bound);
  }

  if (quick && team.size > 1) found.not_measured.emplace_back("links that several messages share, for lack of time");
  if (uplinks.left_out > 0 && !quick) {
    found.not_measured.push_back(
        fmt::format("what leaves {} of hosts, for lack of time", counted(uplinks.left_out, "group")));
  }
  if (left_out > 0) {
    found.not_measured.push_back(
        fmt::format("what clusters of {} share, for lack of time", counted(left_out, "group")));
  }
  const auto unmeasured =
      std::count_if(found.links.begin(), found.links.end(), [](const LinkRates& link) { return link.flows == 0; });
  if (unmeasured > 0) {
    found.not_measured.push_back(
        fmt::format("rates of {} of {} links between clusters, for lack of time", unmeasured, found.links.size()));
  }
  fill_in(found.links, static_cast<int>(clusters.size()), alone);
  return found;
}

}  // namespace tombolo::discovery
