#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/fast_hosts.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>
#include <tombolo/platform/mpi/discovery/pairs.hpp>
#include <tombolo/platform/mpi/discovery/ports.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

// A host's rate is that to its fastest partner.
void enter(const std::vector<PairRate>& pairs, std::vector<Measured>& hosts) {
  for (const PairRate& pair : pairs) {
    for (const int h : {pair.a, pair.b}) {
      Measured& host = hosts[static_cast<std::size_t>(h)];
      if (pair.rate.value > host.value) host = pair.rate;
    }
  }
}

constexpr std::size_t samples = 3;  // of a cluster, measured alone
constexpr std::size_t figures_of_sample = 5;

// Of each cluster of four hosts or more, pairs about the upper quartile of the rates, as a backbone limits those that
// could have more: cluster, two hosts and rate of each, and the longest fixed part of the cluster's messages.
Figures samples_of(std::vector<std::vector<PairRate>> inside, const std::vector<std::vector<int>>& clusters) {
  Figures found;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    std::vector<PairRate>& own = inside[c];
    if (clusters[c].size() < 4 || own.size() < samples) continue;
    std::ranges::stable_sort(own, {}, [](const PairRate& pair) { return pair.rate.value; });
    const std::size_t first = std::min(own.size() * 3 / 4, own.size() - samples);
    const Picoseconds fixed = std::ranges::max(own, {}, &PairRate::fixed).fixed;
    for (std::size_t i = first; i < first + samples; ++i) {
      found.insert(found.end(), {static_cast<std::int64_t>(c), own[i].a, own[i].b, own[i].rate.value, fixed});
    }
  }
  return found;
}

// What one pair of a cluster gets alone, and whether most of its samples get more alone than with all others.
struct Alone {
  std::size_t cluster = 0;
  LargeMessage message = {};
  bool more = false;
  Picoseconds longest_fixed = 0;  // of all messages of the cluster
};

// Measures the samples alone, the clusters concurrently. The same on all ranks. Collective.
std::vector<Alone> measure_alone(Team& team, const Figures& sampled, double bound) {
  constexpr std::size_t figures_of_alone = 7;
  Figures found;
  for (std::size_t turn = 0; turn < samples; ++turn) {
    check_mpi(MPI_Barrier(team.communicator), "MPI_Barrier");
    for (std::size_t at = turn * figures_of_sample; at < sampled.size(); at += samples * figures_of_sample) {
      const int a = static_cast<int>(sampled[at + 1]);
      const int b = static_cast<int>(sampled[at + 2]);
      if (team.rank == b) team.probe.answer(a);
      if (team.rank != a) continue;
      const LargeMessage alone = measure_large_message(team, b);
      team.probe.end(b);
      const bool more = static_cast<double>(alone.rate.value) > (1 + bound) * static_cast<double>(sampled[at + 3]);
      found.insert(found.end(), {sampled[at], more ? 1 : 0, alone.rate.value, alone.rate.error, alone.fixed,
                                 alone.bytes, sampled[at + 4]});
    }
  }
  const Figures all = everybodys(team, found);
  std::map<std::int64_t, std::vector<LargeMessage>> messages;
  std::map<std::int64_t, std::size_t> more;
  std::map<std::int64_t, Picoseconds> fixed;
  for (std::size_t at = 0; at < all.size(); at += figures_of_alone) {
    messages[all[at]].push_back(
        {.rate = {.value = all[at + 2], .error = all[at + 3]}, .fixed = all[at + 4], .bytes = all[at + 5]});
    more[all[at]] += static_cast<std::size_t>(all[at + 1]);
    fixed[all[at]] = all[at + 6];
  }
  std::vector<Alone> alone;
  for (auto& [cluster, of_cluster] : messages) {
    std::ranges::sort(of_cluster, {}, [](const LargeMessage& message) { return message.rate.value; });
    alone.push_back({static_cast<std::size_t>(cluster), of_cluster[of_cluster.size() / 2], 2 * more[cluster] > samples,
                     fixed[cluster]});
  }
  return alone;
}

// By cluster: its hosts in pairs, of which the first sends to the second; pairs that got the most under load first, so
// that none crosses a link of some hosts only if that can be avoided. The same on all ranks. Collective.
std::vector<Flows> pairings(const Team& team, std::vector<LoadedPair> load,
                            const std::vector<std::vector<int>>& clusters) {
  constexpr std::size_t most = 128;
  std::ranges::stable_sort(load, std::greater{}, &LoadedPair::rate);
  std::map<int, std::size_t> left = clusters_by_host(clusters);
  std::vector<std::size_t> number(clusters.size());
  Figures found;
  for (const LoadedPair& pair : load) {
    const auto a = left.find(pair.a);
    const auto b = left.find(pair.b);
    if (a == left.end() || b == left.end() || a->second != b->second || number[a->second] == most) continue;
    ++number[a->second];
    found.insert(found.end(), {static_cast<std::int64_t>(a->second), pair.a, pair.b});
    left.erase(a);
    left.erase(b);
  }
  found = broadcast(team, found);
  std::vector<Flows> all(clusters.size());
  for (std::size_t at = 0; at < found.size(); at += 3) {
    all[static_cast<std::size_t>(found[at])].emplace_back(found[at + 1], found[at + 2]);
  }
  return all;
}

// Stand in for rates under load.
std::vector<LoadedPair> loads_of(const std::vector<PairRate>& pairs) {
  std::vector<LoadedPair> load;
  for (const PairRate& pair : pairs) load.push_back({.a = pair.a, .b = pair.b, .rate = pair.rate.value});
  return load;
}

// What a flow would get if hosts were the only limit.
BytesPerSecond hosts_could(const std::pair<int, int>& flow, const Figures& ports) {
  return std::min(ports[static_cast<std::size_t>(flow.first)], ports[static_cast<std::size_t>(flow.second)]);
}

double hosts_could(const Flows& flows, const Figures& ports) {
  double could = 0;
  for (const auto& flow : flows) could += static_cast<double>(hosts_could(flow, ports));
  return could;
}

// A message for each flow: all last as long if only hosts limit them, as this one alone at least, and as the fixed part
// of the time of any pair, so that all are under way together.
std::vector<LargeMessage> of_equal_times(const LargeMessage& one, Picoseconds fixed, const Flows& flows,
                                         const Figures& ports, Bytes at_most) {
  std::vector<LargeMessage> messages(flows.size(), one);
  for (std::size_t f = 0; f < flows.size(); ++f) messages[f].rate = {.value = hosts_could(flows[f], ports)};
  last(messages, std::max(fixed, transfer_time(one.bytes, one.rate.value)), at_most);
  return messages;
}

// The rates of all pairs of each cluster together, measured once where hosts are the limit. The same on all ranks.
// Collective.
std::vector<Measured> measure_together(Team& team, const std::vector<Flows>& pairings, const std::vector<Alone>& alone,
                                       const Figures& ports, double bound) {
  Figures mine;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const Flows& flows = pairings[alone[i].cluster];
    const LargeMessage& message = alone[i].message;
    FlowOptions options{.lasting = long_enough({message}, 2)};
    if (!alone[i].more) options.enough = static_cast<BytesPerSecond>(hosts_could(flows, ports) / (1 + bound));
    const auto messages = of_equal_times(message, alone[i].longest_fixed, flows, ports, team.probe.largest() / 2);
    const Measured total = measure_flows(team, flows, messages, options);
    if (flows.empty() || team.rank != flows.front().first) continue;
    mine.insert(mine.end(), {static_cast<std::int64_t>(i), total.value, total.error});
  }
  const Figures all = everybodys(team, mine);
  std::vector<Measured> totals(alone.size());
  for (std::size_t at = 0; at < all.size(); at += 3) {
    totals[static_cast<std::size_t>(all[at])] = {.value = all[at + 1], .error = all[at + 2]};
  }
  return totals;
}

// By cluster, the longest fixed part of its messages.
Figures longest_fixed(const std::vector<std::vector<PairRate>>& inside) {
  Figures longest;
  for (const std::vector<PairRate>& pairs : inside) {
    longest.push_back(pairs.empty() ? 0 : std::ranges::max(pairs, {}, &PairRate::fixed).fixed);
  }
  return longest;
}

// The rates of hosts, by host on all ranks.
Figures rates_of(Team& team, const std::vector<PairRate>& pairs, std::vector<Measured>& hosts) {
  enter(pairs, hosts);
  Figures rates;
  for (const Measured& host : hosts) rates.push_back(host.value);
  return broadcast(team, rates);
}

}  // namespace

Ports measure_ports(Team& team, const std::vector<std::vector<int>>& clusters, const std::vector<LoadedPair>& load,
                    double bound) {
  const Picoseconds stage_ends = team.until;
  const Picoseconds part = std::max<Picoseconds>(stage_ends - machine::now(), 0) / 2;
  const std::vector<PairRate> pairs = measure_pairs(team, clusters, std::vector<int>(clusters.size(), 1));
  Ports found;
  found.backbones.resize(clusters.size());
  if (team.rank == 0) found.hosts.resize(static_cast<std::size_t>(team.size));
  const std::vector<std::vector<PairRate>> inside = pairs_by_cluster(pairs, clusters);
  enter(measure_with_fast_ones(team, inside, clusters, bound), found.hosts);
  Figures ports = rates_of(team, pairs, found.hosts);
  // In a hurry, pairs that are in each other's way cannot be told from a busy machine.
  const bool sure = !team.quick || machine::simulated();
  if (!sure) return found;
  const Figures sampled = broadcast(team, samples_of(inside, clusters));

  team.until = std::max(stage_ends, machine::now() + part / 2);
  const std::vector<Alone> alone = measure_alone(team, sampled, bound);
  const std::vector<Flows> flows = pairings(team, load.empty() ? loads_of(pairs) : load, clusters);
  const std::vector<Measured> together = measure_together(team, flows, alone, ports, bound);
  const auto is_limited = [&](std::size_t i) {
    return static_cast<double>(together[i].value) * (1 + bound) < hosts_could(flows[alone[i].cluster], ports);
  };
  std::vector<int> turns(clusters.size(), 0);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (!alone[i].more && !is_limited(i)) continue;
    // Half as many pairs at a time as get all they can.
    const std::vector<int>& hosts = clusters[alone[i].cluster];
    const auto all = static_cast<BytesPerSecond>(hosts.size() / 2);
    const BytesPerSecond at_once =
        std::clamp<BytesPerSecond>(together[i].value / (2 * alone[i].message.rate.value), 1, all);
    turns[alone[i].cluster] = static_cast<int>((all + at_once - 1) / at_once);
    for (const int host : hosts) {
      if (team.rank == 0) found.hosts[static_cast<std::size_t>(host)] = {};
    }
  }
  if (std::ranges::any_of(turns, [](int number) { return number > 0; })) {
    team.until = std::max(stage_ends, machine::now() + part);
    ports = rates_of(team, measure_pairs(team, clusters, turns), found.hosts);
  }
  if (!team.quick) {
    team.until = machine::now() + part / 4;
    const Figures fixed = broadcast(team, longest_fixed(inside));
    for (const auto& [host, rate] : measure_fast_hosts(team, clusters, ports, fixed, bound)) {
      if (team.rank == 0) found.hosts[static_cast<std::size_t>(host)] = rate;
    }
  }
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (turns[alone[i].cluster] > 0 && is_limited(i)) found.backbones[alone[i].cluster] = together[i];
  }
  team.until = stage_ends;
  return found;
}

}  // namespace tombolo::discovery
