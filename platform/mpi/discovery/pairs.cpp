#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>

#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/pairs.hpp>
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

// Measures a message to a partner, which answers, and adds what it got.
void measure_pair(Team& team, int partner, Figures& found) {
  const LargeMessage message = measure_large_message(team, partner);
  found.insert(found.end(), {partner, message.rate.value, message.rate.error, message.fixed});
  team.probe.end(partner);
}

// What measure_pair() has found on all ranks, on rank 0.
std::vector<PairRate> gather_pairs(const Team& team, const Figures& found) {
  std::vector<PairRate> pairs;
  const std::vector<Figures> all = gather(team, found);
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t i = 0; i + 3 < all[r].size(); i += 4) {
      pairs.push_back({.a = static_cast<int>(r),
                       .b = static_cast<int>(all[r][i]),
                       .rate = {.value = all[r][i + 1], .error = all[r][i + 2]},
                       .fixed = all[r][i + 3]});
    }
  }
  return pairs;
}

}  // namespace

std::size_t port_rounds(const std::vector<std::vector<int>>& clusters) {
  std::size_t rounds = 0;
  for (const std::vector<int>& cluster : clusters) rounds = std::max(rounds, cluster.size() - 1 + cluster.size() % 2);
  return std::min(rounds, most_port_rounds);
}

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
      measure_pair(team, partner, found);
    } else {
      team.probe.end(partner);
    }
  };
  // With turns, all ranks meet before each.
  const std::size_t meetings = team.quick ? std::min(least_port_rounds, port_rounds(clusters)) : port_rounds(clusters);
  const std::size_t rounds = all_turns > 1 ? meetings : partners.size();
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

  return gather_pairs(team, found);
}

std::map<int, std::size_t> clusters_by_host(const std::vector<std::vector<int>>& clusters) {
  std::map<int, std::size_t> by_host;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const int host : clusters[c]) by_host[host] = c;
  }
  return by_host;
}

std::vector<std::vector<PairRate>> pairs_by_cluster(const std::vector<PairRate>& pairs,
                                                    const std::vector<std::vector<int>>& clusters) {
  const std::map<int, std::size_t> cluster_of = clusters_by_host(clusters);
  std::vector<std::vector<PairRate>> inside(clusters.size());
  for (const PairRate& pair : pairs) inside[cluster_of.at(pair.a)].push_back(pair);
  return inside;
}

std::vector<PairRate> measure_with_fast_ones(Team& team, const std::vector<std::vector<PairRate>>& inside,
                                             const std::vector<std::vector<int>>& clusters, double bound) {
  constexpr std::size_t few = 4;
  Figures planned;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const auto& [host, fast] : pairs_that_tell(inside[c], bound, team.quick ? few : clusters[c].size()))
      planned.insert(planned.end(), {host, fast});
  }
  planned = broadcast(team, planned);
  Figures found;
  for (std::size_t at = 0; at < planned.size(); at += 2) {
    const auto host = static_cast<int>(planned[at]);
    const auto fast = static_cast<int>(planned[at + 1]);
    if (team.rank == fast) team.probe.answer(host);
    if (team.rank == host) measure_pair(team, fast, found);
  }
  return gather_pairs(team, found);
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
