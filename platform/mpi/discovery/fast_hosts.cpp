#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/discovery/fast_hosts.hpp>
#include <tombolo/platform/mpi/discovery/flows.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

// In larger clusters hosts have many partners, of which some are as fast.
constexpr std::size_t largest_cluster = 128;
// The first rounds have the two hosts that look fastest, one of which is the fastest, or the first of many.
constexpr std::size_t in_any_case = 2;
// Messages to hosts at different distances share a port unevenly, and seem to get more.
constexpr std::int64_t thousand = 1000;
constexpr std::int64_t clearly = 1500;  // in thousandths of the rate so far

// One host sends to some others of its cluster.
struct Fan {
  std::size_t cluster = 0;
  int sender = 0;
  Flows flows = {};
};

BytesPerSecond port_of(const Figures& ports, int host) {
  return ports[static_cast<std::size_t>(host)];
}

// A fan of each host to the two that come after it in the order of rates, in rounds without a host twice.
std::vector<std::vector<Fan>> fans_of(const std::vector<std::vector<int>>& clusters, const Figures& ports) {
  std::vector<std::vector<Fan>> rounds;
  std::vector<std::vector<char>> busy;  // by round and host
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    std::vector<int> hosts = clusters[c];
    if (hosts.size() < 3 || hosts.size() > largest_cluster) continue;
    std::ranges::stable_sort(hosts, std::greater(), [&](int host) { return port_of(ports, host); });
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      const int sender = hosts[h];
      const int one = hosts[(h + 1) % hosts.size()];
      const int other = hosts[(h + 2) % hosts.size()];
      std::size_t round = 0;
      const auto is_busy = [&](int host) { return busy[round][static_cast<std::size_t>(host)] != 0; };
      while (round < rounds.size() && (is_busy(sender) || is_busy(one) || is_busy(other))) ++round;
      if (round == rounds.size()) {
        rounds.emplace_back();
        busy.emplace_back(ports.size());
      }
      for (const int host : {sender, one, other}) busy[round][static_cast<std::size_t>(host)] = 1;
      rounds[round].push_back({.cluster = c, .sender = sender, .flows = {{sender, one}, {sender, other}}});
    }
  }
  return rounds;
}

// What the messages of a fan get together; on its sender only.
Measured total_of(Team& team, const Fan& fan, const Figures& ports, Picoseconds fixed) {
  std::vector<LargeMessage> messages;
  for (const auto& [from, to] : fan.flows) {
    const BytesPerSecond rate = std::max<BytesPerSecond>(std::min(port_of(ports, from), port_of(ports, to)), 1);
    messages.push_back({.rate = {.value = rate}, .fixed = fixed, .bytes = least_of_flow});
  }
  const Picoseconds lasting = long_enough(messages, 1);
  last(messages, lasting, team.probe.largest() / 2);
  return measure_flows(team, fan.flows, messages, {.enough = 1, .lasting = lasting});  // once
}

}  // namespace

std::vector<std::pair<int, Measured>> measure_fast_hosts(Team& team, const std::vector<std::vector<int>>& clusters,
                                                         const Figures& ports, const Figures& fixed, double bound) {
  const bool was_quick = std::exchange(team.quick, true);
  Figures mine;
  const std::vector<std::vector<Fan>> rounds = fans_of(clusters, ports);
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    if (round >= in_any_case && !in_time(team, machine::now() > team.until)) break;
    for (const Fan& fan : rounds[round]) {
      const Measured total = total_of(team, fan, ports, fixed[fan.cluster]);
      if (team.rank == fan.sender) {
        mine.insert(mine.end(), {static_cast<std::int64_t>(fan.cluster), fan.sender, total.value});
      }
    }
  }
  const Figures all = everybodys(team, mine);
  std::map<std::int64_t, Figures> gains;  // by cluster, in thousandths
  const auto gain = [&](std::size_t at) {
    return all[at + 2] / std::max<BytesPerSecond>(port_of(ports, static_cast<int>(all[at + 1])) / thousand, 1);
  };
  for (std::size_t at = 0; at < all.size(); at += 3) gains[all[at]].push_back(gain(at));
  std::vector<Fan> fast;
  for (std::size_t at = 0; at < all.size(); at += 3) {
    const auto usual = static_cast<double>(median_of(gains[all[at]]).value);
    if (gain(at) < clearly || usual >= static_cast<double>(thousand) * (1 + bound)) continue;
    Fan fan{.cluster = static_cast<std::size_t>(all[at]), .sender = static_cast<int>(all[at + 1])};
    for (const int host : clusters[fan.cluster]) {
      if (host != fan.sender && fan.flows.size() < most_flows) fan.flows.emplace_back(fan.sender, host);
    }
    fast.push_back(std::move(fan));
  }
  team.quick = was_quick;
  std::vector<std::pair<int, Measured>> found;
  for (const Fan& fan : fast) {
    const Measured total = known_to_all(team, total_of(team, fan, ports, fixed[fan.cluster]), fan.sender);
    const bool faster = total.value >= port_of(ports, fan.sender) / thousand * clearly;
    if (faster) found.emplace_back(fan.sender, total);
  }
  return found;
}

}  // namespace tombolo::discovery
