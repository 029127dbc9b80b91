#include <algorithm>
#include <random>

#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/measuring/sample.hpp>
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

std::vector<LoadedPair> measure_load(Team& team, const std::vector<std::vector<int>>& clusters) {
  Figures found;
  const Bytes bytes = std::min(least_load, team.probe.largest() / 2);
  for (const int partner : partners_in(clusters, team.rank, most_load_rounds)) {
    if (partner < 0 || !team.probe.agree_with(partner, machine::now() < team.until)) continue;
    Figures times;
    while (times.size() < load_repetitions) times.push_back(team.probe.exchange(partner, bytes));
    const Picoseconds time = std::max<Picoseconds>(median_of(times).value, 1);
    if (team.rank < partner) found.insert(found.end(), {partner, transfer_time(bytes, time)});
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
