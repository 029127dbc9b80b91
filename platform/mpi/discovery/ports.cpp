#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <utility>

#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>
#include <tombolo/platform/mpi/discovery/ports.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

// The number of rounds: a host's rate is that to its fastest partner, and among this number of partners one is fast.
constexpr std::size_t most_port_rounds = 8;
// The number of rounds if time runs out.
constexpr std::size_t least_port_rounds = 2;
// The number of rounds under load; a pair crosses the same links in every round, so this number shows the sharing.
constexpr std::size_t most_load_rounds = 32;
constexpr Bytes least_load = Bytes{128} * 1024;
constexpr std::size_t load_repetitions = 3;
// The time of an exchange under load, in empty exchanges: latencies hardly count then.
constexpr Picoseconds empty_exchanges = 32;

// Hosts with neighbouring numbers are often near in the network, so the hosts are shuffled, equally on all ranks, to
// make every round a fair sample.
std::vector<int> shuffled(std::vector<int> cluster) {
  std::mt19937 random(static_cast<unsigned>(cluster.size()));
  shuffle_alike(cluster, random);
  return cluster;
}

// This rank's place among all hosts: its cluster, shuffled, and its position in it.
struct Place {
  std::size_t cluster = 0;
  std::vector<int> hosts = {};
  std::ptrdiff_t position = 0;
};

Place place_of(int rank, const std::vector<std::vector<int>>& clusters) {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (std::ranges::find(clusters[c], rank) == clusters[c].end()) continue;
    Place place{.cluster = c, .hosts = shuffled(clusters[c])};
    place.position = std::ranges::find(place.hosts, rank) - place.hosts.begin();
    return place;
  }
  return {};
}

// The positions of this rank's partners in its cluster, round by round; -1 in a round without one.
std::vector<int> partners_in(const Place& place, std::size_t most_rounds) {
  std::vector<int> partners = tournament(static_cast<int>(place.position), static_cast<int>(place.hosts.size()));
  partners.resize(std::min(partners.size(), most_rounds));
  return partners;
}

// The rate between two hosts, as measured.
struct PairRate {
  int a = 0;
  int b = 0;
  Measured rate;
};

// Measures the hosts of each cluster in pairs, round after round; all pairs of a round at once, or one after the other
// in as many turns as the cluster has. None where it has no turns. On rank 0 only. Collective.
std::vector<PairRate> measure_pairs(Team& team, const std::vector<std::vector<int>>& clusters,
                                    const std::vector<int>& turns) {
  Figures found;
  const Picoseconds stage_ends = team.until;
  const Picoseconds begin = machine::now();
  const Place place = place_of(team.rank, clusters);
  const std::vector<int> partners = partners_in(place, most_port_rounds);
  const int own_turns = turns[place.cluster];
  const int all_turns = *std::ranges::max_element(turns);
  const auto measure = [&](int partner, bool asks, bool in_time) {
    if (!asks) {
      team.probe.answer(partner);
      return;
    }
    if (in_time) {
      const Measured rate = measure_large_message(team, partner).rate;
      found.insert(found.end(), {partner, rate.value, rate.error});
    }
    team.probe.end(partner);
  };
  std::size_t rounds = partners.size();
  if (all_turns > 1) {  // all ranks meet before each turn
    for (const std::vector<int>& cluster : clusters) rounds = std::max(rounds, cluster.size() - 1 + cluster.size() % 2);
    rounds = std::min(rounds, most_port_rounds);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    team.until = begin + (stage_ends - begin) / static_cast<Picoseconds>(rounds) * static_cast<Picoseconds>(round + 1);
    const int partner = round < partners.size() ? partners[round] : -1;
    const auto first = std::min<std::ptrdiff_t>(partner, place.position);
    for (int turn = 0; turn < all_turns; ++turn) {
      if (all_turns > 1) check_mpi(MPI_Barrier(team.communicator), "MPI_Barrier");
      if (partner < 0 || own_turns == 0 || first % own_turns != turn) continue;
      const int other = place.hosts[static_cast<std::size_t>(partner)];
      measure(other, team.rank < other, round < least_port_rounds || machine::now() <= stage_ends);
    }
  }
  team.until = stage_ends;

  std::vector<PairRate> pairs;
  const std::vector<Figures> all = gather(team, found);
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t i = 0; i + 2 < all[r].size(); i += 3) {
      pairs.push_back({.a = static_cast<int>(r),
                       .b = static_cast<int>(all[r][i]),
                       .rate = {.value = all[r][i + 1], .error = all[r][i + 2]}});
    }
  }
  return pairs;
}

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
constexpr std::size_t figures_of_sample = 4;

// Of each cluster of four hosts or more, pairs about the upper quartile of the rates, as a backbone limits those that
// could have more: cluster, two hosts and rate of each.
Figures samples_of(const std::vector<PairRate>& pairs, const std::vector<std::vector<int>>& clusters) {
  Figures found;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (clusters[c].size() < 4) continue;
    std::vector<PairRate> inside;
    for (const PairRate& pair : pairs) {
      if (std::ranges::find(clusters[c], pair.a) != clusters[c].end()) inside.push_back(pair);
    }
    if (inside.size() < samples) continue;
    std::ranges::stable_sort(inside, {}, [](const PairRate& pair) { return pair.rate.value; });
    const std::size_t first = std::min(inside.size() * 3 / 4, inside.size() - samples);
    for (std::size_t i = first; i < first + samples; ++i) {
      found.insert(found.end(), {static_cast<std::int64_t>(c), inside[i].a, inside[i].b, inside[i].rate.value});
    }
  }
  return found;
}

// What one pair of a cluster gets alone, and whether most of its samples get more alone than with all others.
struct Alone {
  std::size_t cluster = 0;
  LargeMessage message = {};
  bool more = false;
};

// Measures the samples alone, the clusters concurrently. The same on all ranks. Collective.
std::vector<Alone> measure_alone(Team& team, const Figures& sampled, double bound) {
  constexpr std::size_t figures_of_alone = 6;
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
      found.insert(found.end(),
                   {sampled[at], more ? 1 : 0, alone.rate.value, alone.rate.error, alone.fixed, alone.bytes});
    }
  }
  const Figures all = everybodys(team, found);
  std::map<std::int64_t, std::vector<LargeMessage>> messages;
  std::map<std::int64_t, std::size_t> more;
  for (std::size_t at = 0; at < all.size(); at += figures_of_alone) {
    messages[all[at]].push_back(
        {.rate = {.value = all[at + 2], .error = all[at + 3]}, .fixed = all[at + 4], .bytes = all[at + 5]});
    more[all[at]] += static_cast<std::size_t>(all[at + 1]);
  }
  std::vector<Alone> alone;
  for (auto& [cluster, of_cluster] : messages) {
    std::ranges::sort(of_cluster, {}, [](const LargeMessage& message) { return message.rate.value; });
    alone.push_back(
        {static_cast<std::size_t>(cluster), of_cluster[of_cluster.size() / 2], 2 * more[cluster] > samples});
  }
  return alone;
}

// By cluster that has samples: its hosts in pairs, of which the first sends to the second; pairs that got the most
// under load first, so that none crosses a link of some hosts only if that can be avoided. The same on all ranks.
// Collective.
std::map<std::size_t, Flows> pairings(const Team& team, std::vector<LoadedPair> load,
                                      const std::vector<std::vector<int>>& clusters, const Figures& sampled) {
  constexpr std::size_t most = 128;
  std::ranges::stable_sort(load, std::greater{}, &LoadedPair::rate);
  Figures found;
  for (std::size_t at = 0; team.rank == 0 && at < sampled.size(); at += samples * figures_of_sample) {
    const std::vector<int>& hosts = clusters[static_cast<std::size_t>(sampled[at])];
    std::set<int> left(hosts.begin(), hosts.end());
    std::size_t number = 0;
    for (const LoadedPair& pair : load) {
      if (number == most || !left.contains(pair.a) || !left.contains(pair.b)) continue;
      for (const int host : {pair.a, pair.b}) left.erase(host);
      found.insert(found.end(), {sampled[at], pair.a, pair.b});
      ++number;
    }
  }
  found = broadcast(team, found);
  std::map<std::size_t, Flows> all;
  for (std::size_t at = 0; at < sampled.size(); at += figures_of_sample) all[static_cast<std::size_t>(sampled[at])];
  for (std::size_t at = 0; at < found.size(); at += 3) {
    all[static_cast<std::size_t>(found[at])].emplace_back(found[at + 1], found[at + 2]);
  }
  return all;
}

// What these flows would get if hosts were the only limit.
double hosts_could(const Flows& flows, const Figures& ports) {
  double could = 0;
  for (const auto& [a, b] : flows) {
    could += static_cast<double>(std::min(ports[static_cast<std::size_t>(a)], ports[static_cast<std::size_t>(b)]));
  }
  return could;
}

// The rates of all pairs of each cluster together, measured once where hosts are the limit. The same on all ranks.
// Collective.
std::vector<Measured> measure_together(Team& team, const std::map<std::size_t, Flows>& pairings,
                                       const std::vector<Alone>& alone, const Figures& ports, double bound) {
  Figures mine;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const Flows& flows = pairings.at(alone[i].cluster);
    const LargeMessage& message = alone[i].message;
    FlowOptions options{.lasting = std::max(transfer_time(message.bytes, message.rate.value), 2 * message.fixed)};
    if (!alone[i].more) options.enough = static_cast<BytesPerSecond>(hosts_could(flows, ports) / (1 + bound));
    const std::vector<LargeMessage> messages(flows.size(), message);
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
  Figures ports = rates_of(team, pairs, found.hosts);
  const Figures sampled = broadcast(team, team.quick ? Figures{} : samples_of(pairs, clusters));
  if (sampled.empty()) return found;

  team.until = std::max(stage_ends, machine::now() + part / 2);
  const std::vector<Alone> alone = measure_alone(team, sampled, bound);
  const auto flows = pairings(team, load, clusters, sampled);
  const std::vector<Measured> together = measure_together(team, flows, alone, ports, bound);
  const auto is_limited = [&](std::size_t i) {
    return static_cast<double>(together[i].value) * (1 + bound) < hosts_could(flows.at(alone[i].cluster), ports);
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
  for (std::size_t i = 0; i < alone.size(); ++i) {
    if (turns[alone[i].cluster] > 0 && is_limited(i)) found.backbones[alone[i].cluster] = together[i];
  }
  team.until = stage_ends;
  return found;
}

namespace {

// What exchanges under load are to last, and the rate of this host so far.
struct Load {
  Picoseconds lasting = 0;
  BytesPerSecond rate = 1;
};

// Tries the load with the first partner. It lasts equally long for all hosts of a cluster, whatever their cards,
// so that all links are busy all the time: as long as the slowest of them needs for the least load.
Load find_load(Team& team, std::size_t clusters, std::size_t mine, const std::vector<int>& partners) {
  Figures longest(clusters);
  Load load;
  if (!partners.empty() && partners.front() >= 0) {
    const int partner = partners.front();
    team.probe.exchange(partner, 0);  // the partner may arrive late
    const Picoseconds empty = team.probe.exchange(partner, 0);
    const Picoseconds loaded = std::max<Picoseconds>(team.probe.exchange(partner, least_load), 1);
    longest[mine] = std::max(loaded, empty_exchanges * empty);
    load.rate = transfer_time(least_load, loaded);
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, longest.data(), static_cast<int>(longest.size()), MPI_INT64_T, MPI_MAX,
                          team.communicator),
            "MPI_Allreduce");
  const auto exchanges = static_cast<Picoseconds>(load_repetitions * std::max<std::size_t>(partners.size(), 1));
  load.lasting = std::min(longest[mine], std::max<Picoseconds>((team.until - machine::now()) / exchanges, 0));
  return load;
}

}  // namespace

std::vector<LoadedPair> measure_load(Team& team, const std::vector<std::vector<int>>& clusters) {
  Figures found;
  const Bytes most = team.probe.largest() / 2;
  const Place place = place_of(team.rank, clusters);
  std::vector<int> partners = partners_in(place, most_load_rounds);
  for (int& partner : partners) {
    if (partner >= 0) partner = place.hosts[static_cast<std::size_t>(partner)];
  }
  Load load = find_load(team, clusters.size(), place.cluster, partners);
  const auto lasting = [&](BytesPerSecond rate) {
    return std::clamp(static_cast<Bytes>(seconds(load.lasting) * static_cast<double>(rate)), least_load, most);
  };
  for (const int partner : partners) {
    if (partner < 0) continue;
    Bytes bytes = team.probe.lower_of_both(partner, machine::now() < team.until ? lasting(load.rate) : 0);
    BytesPerSecond rate = 0;
    // Again where both are faster than either knew.
    for (Bytes last = 0; bytes > 2 * last;) {
      Figures times;
      while (times.size() < load_repetitions) times.push_back(team.probe.exchange(partner, bytes));
      rate = transfer_time(bytes, std::max<Picoseconds>(median_of(times).value, 1));
      last = std::exchange(bytes, team.probe.lower_of_both(partner, lasting(rate)));
    }
    load.rate = std::max(load.rate, rate);
    if (team.rank < partner && rate > 0) found.insert(found.end(), {partner, rate});
  }
  const std::vector<Figures> all = gather(team, found);
  std::vector<LoadedPair> pairs;
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t i = 0; i + 1 < all[r].size(); i += 2) {
      pairs.push_back({.a = static_cast<int>(r), .b = static_cast<int>(all[r][i]), .rate = all[r][i + 1]});
    }
  }
  return pairs;
}

}  // namespace tombolo::discovery
