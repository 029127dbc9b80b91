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
LinkRounds filled_by_hosts(LinkRounds rounds, const std::vector<std::vector<int>>& clusters,
                           const std::vector<LinkRates>& links, const std::vector<BytesPerSecond>& ports,
                           double bound) {
  const auto port = [&](int cluster) {
    return ports[static_cast<std::size_t>(clusters[static_cast<std::size_t>(cluster)].front())];
  };
  const auto is_alone = [&](int cluster) { return clusters[static_cast<std::size_t>(cluster)].size() < 2; };
  for (auto& round : rounds) {
    std::erase_if(round, [&](const std::pair<int, int>& pair) {
      const auto [a, b] = pair;
      const LinkRates& link = links[link_index(a, b, static_cast<int>(clusters.size()))];
      return link.flows == 0 || is_alone(a) || is_alone(b) ||
             !is_filled_by_hosts(link, std::min(port(a), port(b)), bound);
    });
  }
  std::erase_if(rounds, [](const auto& round) { return round.empty(); });
  return rounds;
}

// Returns rounds of one pair each.
LinkRounds one_by_one(const LinkRounds& rounds) {
  LinkRounds single;
  for (const auto& round : rounds) {
    for (const auto& pair : round) single.push_back({pair});
  }
  return single;
}

// Returns the figures of clusters by group, of which a cluster has no children.
std::vector<Measured> by_group(const std::vector<GroupSpan>& spans, const std::vector<Measured>& of_clusters) {
  std::vector<Measured> figures;
  for (std::size_t cluster = 0; const GroupSpan& span : spans) {
    figures.push_back(span.children.empty() ? of_clusters[cluster++] : Measured{});
  }
  return figures;
}

// Enters what was measured of some links.
void enter(const std::vector<LinkRates>& some, std::vector<LinkRates>& links) {
  for (std::size_t at = 0; at < links.size(); ++at) {
    if (some[at].flows > 0) links[at] = some[at];
  }
}

// Gives links that there was no time for the figures of one between the same two groups, whose way they most likely
// share, as a guess.
void take_from_groups(std::vector<LinkRates>& links, const HostGroup& groups) {
  std::vector<BytesPerSecond> rates;
  for (const LinkRates& link : links) rates.push_back(link.flows > 0 ? link.one.rate.value : 0);
  const std::vector<std::size_t> others = stand_ins(groups, rates);
  for (std::size_t at = 0; at < links.size(); ++at) {
    if (others[at] == at) continue;
    LinkRates& link = links[at] = links[others[at]];
    link.there = link.back = 0;
    link.one.rate.error = link.one.rate.value;
    link.total.error = link.total.value;
  }
}

// Gives the other links that there was no time for the best rates that both of their clusters have to others, which are
// no figures to rely on: a link without any would be taken for as fast as hosts are, and one of which only the total is
// missing for so thin that messages would avoid it. `without_total`: by link, true where only the total is.
void fill_in(std::vector<LinkRates>& links, int clusters, const std::vector<bool>& without_total) {
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
    if ((link.flows > 0 && !without_total[at]) || rate == 0) return;
    if (link.flows == 0) link.one.rate = {.value = rate, .error = rate};
    const BytesPerSecond total = std::max(link.one.rate.value, std::min(first.total, second.total));
    link.total = {.value = total, .error = total};
    link.flows = std::min(first.flows, second.flows);
  });
}

// The discovery between hosts, stage by stage. The same on all ranks, but for what is found, which is rank 0's alone
// unless it says otherwise.
class NetworkDiscovery {
 public:
  NetworkDiscovery(Team& team, const DiscoveryOptions& options)
      : team_(team), options_(options), quick_(options.budget < quick_budget), stages_(team, options) {}

  Network run() {
    measure_processors();
    measure_hosts();
    measure_cluster_links();
    if (!quick_) find_middle_line();
    // In a hurry, links that share a line cannot be told from a busy machine.
    if (alone_faster_ && (!quick_ || machine::simulated())) {
      stages_.begin("lines that links share", quick_ ? 3 : 0.95);
      if (quick_) stages_.prolong(2);
      found_.lines = measure_lines(team_, found_.groups, clusters_, found_.links, ports_, options_.bound);
    }
    note_unmeasured_links();
    take_from_groups(found_.links, found_.groups);
    measure_ways_out();
    fill_in(found_.links, static_cast<int>(clusters_.size()), without_total_);
    return std::move(found_);
  }

 private:
  void measure_processors() {
    stages_.begin("overheads of processors", 0.05);
    overheads_ = measure_overheads(team_);
    found_.overheads = overheads_.of_hosts;
    const Measured memory = copy_rate(quick_);
    for (const Figures& of_host : gather(team_, {memory.value, memory.error})) {
      found_.memories.push_back({.value = of_host[0], .error = of_host[1]});
    }
  }

  // Latencies, clusters, and what their hosts send.
  void measure_hosts() {
    stages_.begin("latencies", 0.35);
    team_.quick = quick_;
    const bool all_pairs = team_.size <= most_all_pairs && team_.size <= hosts_per_second * options_.budget;
    Structure structure = find_structure(team_, overheads_, all_pairs, options_.stated, options_.bound);
    found_.latencies = std::move(structure.latencies);
    if (!structure.unmeasured.empty()) found_.not_measured.push_back(structure.unmeasured);

    stages_.begin("links that hosts share", 0.5);
    std::vector<LoadedPair> load;
    if (!quick_) load = split_by_shared_links(team_, structure.groups, options_.bound);
    found_.groups = std::move(structure.groups);

    stages_.begin("rates of hosts", 0.6);
    const auto hosts = cluster_hosts(found_.groups);
    stages_.shorten(part_of_port_round * static_cast<double>(port_rounds(hosts)));
    Ports rates = measure_ports(team_, hosts, load, options_.bound);
    found_.ports = std::move(rates.hosts);
    cluster_backbones_ = std::move(rates.backbones);
  }

  // A rough rate of every link between clusters first, then better ones of as many as there is time for.
  void measure_cluster_links() {
    stages_.begin("links between clusters", quick_ ? 2 : 0.8);
    ports_ = broadcast(team_, values(found_.ports));
    const Figures backbones = broadcast(team_, values(cluster_backbones_));
    for (std::size_t c = 0; c < backbones.size(); ++c) cluster_backbones_[c].value = backbones[c];
    clusters_ = fastest_first(found_.groups, ports_);
    const bool nested = std::any_of(found_.groups.groups.begin(), found_.groups.groups.end(),
                                    [](const HostGroup& group) { return !group.groups.empty(); });
    team_.quick = true;
    LinkRounds rounds = measure_rough_rates(nested);
    if (quick_) stages_.prolong(0.5);
    alone_faster_ =
        measure_again_alone(team_, clusters_, found_.links, ports_, options_.bound, stages_.spent(quick_ ? 6 : 0));
    team_.quick = quick_;
    if (alone_faster_) {
      rounds = one_by_one(rounds);
      // Others may have been in the way of any: with time, all are measured again.
      for (LinkRates& link : found_.links)
        link.one.rate.error = std::max(link.one.rate.error, quick_ ? 0 : link.one.rate.value);
    }
    // In a hurry, several messages are sent only where one was limited by its hosts.
    if (quick_) rounds = filled_by_hosts(std::move(rounds), clusters_, found_.links, ports_, options_.bound);
    totals_looked_for_ = !rounds.empty();
    without_total_.assign(found_.links.size(), false);
    if (totals_looked_for_) measure_totals(rounds, nested || alone_faster_);
  }

  // Returns the rounds.
  LinkRounds measure_rough_rates(bool nested) {
    const LinkOptions rough{.apart = nested && !quick_, .one_flow = true, .ports = ports_};
    if (!rough.apart) {
      LinkRounds rounds = link_rounds(found_.groups);
      found_.links = measure_links(team_, clusters_, rounds, rough);
      return rounds;
    }
    // Without a rate of the line between two groups, all links over it would be taken for as fast as others.
    Figures fastest;
    for (const auto& cluster : clusters_) fastest.push_back(ports_[static_cast<std::size_t>(cluster.front())]);
    auto [rounds, others] = rounds_by_group(found_.groups, fastest);
    const Picoseconds ends = team_.until;
    stages_.prolong(1);
    found_.links = measure_links(team_, clusters_, rounds, rough);
    team_.until = ends;
    enter(measure_links(team_, clusters_, others, rough), found_.links);
    rounds.insert(rounds.end(), others.begin(), others.end());
    return rounds;
  }

  // What several messages get together over these links.
  void measure_totals(const LinkRounds& rounds, bool apart) {
    for (const auto& round : rounds) {
      for (const auto& [a, b] : round) without_total_[link_index(a, b, static_cast<int>(clusters_.size()))] = quick_;
    }
    if (quick_) stages_.begin("several messages between clusters", 3);
    const auto better =
        measure_links(team_, clusters_, rounds, {.apart = apart, .ports = ports_, .rough = found_.links});
    for (std::size_t link = 0; link < better.size(); ++link) {
      if (better[link].flows == 0) continue;
      found_.links[link] = better[link];
      without_total_[link] = false;
    }
  }

  // A line in the middle, the clusters on both sides of which become groups.
  void find_middle_line() {
    const auto line = guess_line(found_.groups, found_.links);
    if (!line) return;
    stages_.begin("a line that clusters may share", 0.9);
    if (!is_shared(team_, *line, clusters_, found_.links, ports_, values(cluster_backbones_), options_.bound)) return;
    const std::vector<int> was = numbers_before(found_.groups, line->groups);
    found_.links = reordered(found_.links, was);
    std::vector<Measured> backbones;
    for (const int before : was) backbones.push_back(cluster_backbones_[static_cast<std::size_t>(before)]);
    cluster_backbones_ = std::move(backbones);
    found_.groups = line->groups;
    clusters_ = fastest_first(found_.groups, ports_);
  }

  // What leaves groups and clusters, and what those of a group share.
  void measure_ways_out() {
    stages_.begin("links of clusters to all others", !quick_ ? 1 : totals_looked_for_ ? 5 : 4);
    const std::vector<Uplink> groups = ways_out(found_.groups, found_.links, clusters_, quick_, options_.bound);
    found_.backbones = by_group(spans_of(found_.groups), cluster_backbones_);
    const Uplinks uplinks = measure_uplinks(team_, clusters_, found_.links, found_.lines, groups,
                                            values(cluster_backbones_), options_.bound);
    found_.uplinks = uplinks.totals;
    if (quick_) {
      guess_ways_out(found_.groups, found_.links, clusters_, ports_, options_.bound, found_.uplinks);
      if (team_.size > 1) found_.not_measured.emplace_back("links that several messages share, for lack of time");
      return;
    }
    int left_out = 0;
    if (clusters_.size() > 1) {
      left_out = measure_group_backbones(team_, found_.groups, clusters_, found_.links, found_.lines,
                                         values(found_.uplinks), found_.backbones, options_.bound);
    }
    note_unmeasured("what leaves {} of hosts", uplinks.left_out);
    note_unmeasured("what clusters of {} share", left_out);
  }

  void note_unmeasured(fmt::format_string<std::string> what, int groups) {
    if (groups == 0) return;
    found_.not_measured.push_back(fmt::format(what, counted(groups, "group")) + ", for lack of time");
  }

  void note_unmeasured_links() {
    const auto unmeasured = std::ranges::count(found_.links, 0, &LinkRates::flows);
    if (unmeasured == 0) return;
    found_.not_measured.push_back(
        fmt::format("rates of {} of {} links between clusters, for lack of time", unmeasured, found_.links.size()));
  }

  Team& team_;
  const DiscoveryOptions& options_;
  bool quick_;
  Stages stages_;
  Network found_;
  AllOverheads overheads_;
  Figures ports_;                            // by host, on all ranks
  std::vector<Measured> cluster_backbones_;  // by cluster, values on all ranks
  std::vector<std::vector<int>> clusters_;   // hosts of each, the fastest first, on all ranks
  bool alone_faster_ = false;                // links were in each other's way
  bool totals_looked_for_ = false;
  std::vector<bool> without_total_;  // by link: its total is to be guessed
};

}  // namespace

Network discover_network(Team& team, const DiscoveryOptions& options) {
  return NetworkDiscovery(team, options).run();
}

}  // namespace tombolo::discovery
