#include <algorithm>
#include <random>
#include <utility>

#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
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

// Returns the partners of this rank in its cluster, round by round. Hosts with neighbouring numbers are often near in
// the network, so the hosts are shuffled, equally on all ranks, to make every round a fair sample.
std::vector<int> partners_in(const std::vector<std::vector<int>>& clusters, int rank, std::size_t most_rounds) {
  for (const std::vector<int>& cluster : clusters) {
    if (std::find(cluster.begin(), cluster.end(), rank) == cluster.end()) continue;
    std::vector<int> shuffled = cluster;
    std::mt19937 random(static_cast<unsigned>(cluster.size()));
    shuffle_alike(shuffled, random);
    const auto me = std::find(shuffled.begin(), shuffled.end(), rank) - shuffled.begin();
    std::vector<int> partners;
    for (const int opponent : tournament(static_cast<int>(me), static_cast<int>(shuffled.size()))) {
      if (partners.size() < most_rounds) {
        partners.push_back(opponent < 0 ? -1 : shuffled[static_cast<std::size_t>(opponent)]);
      }
    }
    return partners;
  }
  return {};
}

}  // namespace

std::vector<Measured> measure_ports(Team& team, const std::vector<std::vector<int>>& clusters) {
  Figures found;
  const Picoseconds stage_ends = team.until;
  const Picoseconds begin = machine::now();
  const std::vector<int> partners = partners_in(clusters, team.rank, most_port_rounds);
  for (std::size_t round = 0; round < partners.size(); ++round) {
    const int partner = partners[round];
    if (partner < 0) continue;
    team.until =
        begin + (stage_ends - begin) / static_cast<Picoseconds>(partners.size()) * static_cast<Picoseconds>(round + 1);
    if (team.rank > partner) {
      team.probe.answer(partner);
      continue;
    }
    if (round >= least_port_rounds && machine::now() > stage_ends) {
      team.probe.end(partner);
      continue;
    }
    const LargeMessage message = measure_large_message(team, partner);
    team.probe.end(partner);
    found.insert(found.end(), {partner, message.rate.value, message.rate.error});
  }
  team.until = stage_ends;

  const std::vector<Figures> all = gather(team, found);
  std::vector<Measured> fastest(all.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t i = 0; i + 2 < all[r].size(); i += 3) {
      const Measured rate{.value = all[r][i + 1], .error = all[r][i + 2]};
      for (Measured* const host : {&fastest[r], &fastest[static_cast<std::size_t>(all[r][i])]}) {
        if (rate.value > host->value) *host = rate;
      }
    }
  }
  return fastest;
}

namespace {

// What exchanges under load are to last, and the rate of this host so far.
struct Load {
  Picoseconds lasting = 0;
  BytesPerSecond rate = 1;
};

// Tries the load with the first partner. It lasts equally long for all hosts of a cluster, whatever their cards,
// so that all links are busy all the time: as long as the slowest of them needs for the least load.
Load find_load(Team& team, const std::vector<std::vector<int>>& clusters, const std::vector<int>& partners) {
  Figures longest(clusters.size());
  Load load;
  std::size_t mine = 0;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (std::find(clusters[c].begin(), clusters[c].end(), team.rank) != clusters[c].end()) mine = c;
  }
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
  const std::vector<int> partners = partners_in(clusters, team.rank, most_load_rounds);
  Load load = find_load(team, clusters, partners);
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
