#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/latencies.hpp>
#include <tombolo/platform/clustering/latency_parts.hpp>
#include <tombolo/platform/clustering/level_tree.hpp>
#include <tombolo/platform/description/host_levels.hpp>
#include <tombolo/platform/description/platform.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/simgrid/element.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/network.hpp>
#include <tombolo/platform/simgrid/rates.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>
#include <tombolo/platform/simgrid/simgrid_xml.hpp>
#include <tombolo/platform/simgrid/split.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo::simgrid {

namespace {

// Rate of a message from a host to itself if the description has no loopback: SimGrid's network/loopback-bw.
constexpr BytesPerSecond usual_loopback = 10'000'000'000;

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

std::vector<std::vector<Rank>> ranks_by_host(const std::vector<int>& host_of, int hosts) {
  std::vector<std::vector<Rank>> ranks(at(hosts));
  for (std::size_t r = 0; r < host_of.size(); ++r) ranks[at(host_of[r])].push_back(static_cast<Rank>(r));
  return ranks;
}

// Returns the processor of a rank. Its speed is that of its threads: its share of the host's cores.
Processor processor(const Fabric& fabric, int host, int ranks) {
  constexpr double highest_speed = 1e18;
  const Machine& machine = fabric.machine(host);
  const double cores = std::max(machine.cores / ranks, 1);
  const double part = std::min(1.0, static_cast<double>(machine.cores) / ranks);  // of a core shared by several ranks
  const double speed = std::min(static_cast<double>(machine.speed) * cores * part, highest_speed);
  return {.host = fabric.name(host),
          .model = fmt::format("{:.4g} Gflop/s a core", static_cast<double>(machine.speed) * 1e-9),
          .cores = machine.cores,
          .ranks_sharing = ranks,
          .ranks_on_host = ranks,
          .threads = static_cast<int>(cores),
          .speed = std::max<FlopsPerSecond>(std::llround(speed), 1)};
}

Level host_level_of(Fabric& fabric, int host, const std::vector<Rank>& ranks) {
  Level level = host_level(fabric.name(host), ranks, std::vector<Place>(ranks.size()));
  if (ranks.size() > 1) {
    level.latency.value = fabric.latency(host, host);
    BytesPerSecond rate = unlimited;
    for (const int wire : fabric.route(host, host)) rate = std::min(rate, fabric.network().wire(wire).rate);
    level.rate.value = rate == unlimited ? usual_loopback : rate;
  }
  return level;
}

// Fills in groups and clusters, in depth-first order.
void fill(Level& level, const LatencyParts& parts, const Rates& rates, std::size_t& groups, std::size_t& clusters) {
  level.uplink.value = rates.uplinks[groups++];
  if (level.kind == Level::Kind::cluster) {
    level.latency = parts.inside[clusters++];
    return;
  }
  for (Level& child : level.children) fill(child, parts, rates, groups, clusters);
}

// Assembles a Platform from the results of the analysis; `host_of`: the host of each rank.
Platform assemble(Fabric& fabric, const std::vector<int>& host_of, const Latencies& latencies, const HostGroup& groups,
                  const Rates& rates) {
  const LatencyParts parts = split_latencies(latencies, groups);
  const auto ranks = ranks_by_host(host_of, fabric.hosts());
  Platform platform;
  for (const int host : host_of) {
    platform.processors.push_back(processor(fabric, host, static_cast<int>(ranks[at(host)].size())));
  }
  std::vector<Level> hosts;
  for (int h = 0; h < fabric.hosts(); ++h) {
    platform.hosts.push_back(
        {.name = fabric.name(h), .latency = parts.own[at(h)], .rate = {.value = rates.hosts[at(h)], .error = 0}});
    hosts.push_back(host_level_of(fabric, h, ranks[at(h)]));
  }
  platform.levels = level_tree(groups, hosts);
  std::size_t group = 0;
  std::size_t cluster = 0;
  fill(platform.levels, parts, rates, group, cluster);
  platform.links = rates.links;
  for (std::size_t l = 0; l < platform.links.size(); ++l) platform.links[l].latency = parts.between[l];
  platform.origin.source = "SimGrid XML " + fabric.network().source;
  platform.origin.simulated = true;
  platform.origin.not_measured = rates.left_out;
  platform.origin.not_measured.emplace_back("overheads of sending and receiving, which SimGrid's settings state");
  return platform;
}

}  // namespace

}  // namespace tombolo::simgrid

namespace tombolo {

namespace {

using simgrid::Fabric;
using simgrid::Network;

constexpr std::size_t most_hosts_with_ranks = 4096;

// The hosts with ranks, in the order of their first ranks, and the host of each rank as an index into these.
struct Placed {
  std::vector<int> machines;
  std::vector<int> host_of;
};

Placed place(const Network& network, const std::vector<std::string>& hosts_by_rank) {
  Placed placed;
  if (hosts_by_rank.empty()) {
    placed.machines.resize(network.machines.size());
    std::iota(placed.machines.begin(), placed.machines.end(), 0);
    placed.host_of = placed.machines;
    return placed;
  }
  std::unordered_map<std::string, int> machines;
  for (std::size_t m = 0; m < network.machines.size(); ++m) {
    machines[network.point(network.machines[m].point).name] = static_cast<int>(m);
  }
  std::unordered_map<int, int> hosts;
  for (const std::string& name : hosts_by_rank) {
    const auto machine = machines.find(name);
    if (machine == machines.end()) {
      throw Error(fmt::format("{} has no host {}", network.source, tombolo::quoted(name)),
                  "name hosts of the description for the ranks");
    }
    const auto [host, is_new] = hosts.try_emplace(machine->second, static_cast<int>(hosts.size()));
    if (is_new) placed.machines.push_back(machine->second);
    placed.host_of.push_back(host->second);
  }
  return placed;
}

// Returns the mean latencies of both directions, which hardly ever differ.
Latencies latencies_of(Fabric& fabric) {
  Latencies latencies(fabric.hosts());
  for (int a = 0; a < fabric.hosts(); ++a) {
    for (int b = a + 1; b < fabric.hosts(); ++b) {
      const Picoseconds there = fabric.latency(a, b);
      const Picoseconds back = fabric.latency(b, a);
      latencies.set(a, b, {.value = there + (back - there) / 2, .error = 0});
    }
  }
  return latencies;
}

}  // namespace

Platform platform_from_simgrid(std::string_view text, const std::string& name,
                               const std::vector<std::string>& hosts_by_rank) {
  const Network network = simgrid::read_network({.text = text, .name = name});
  Placed placed = place(network, hosts_by_rank);
  if (placed.machines.size() > most_hosts_with_ranks) {
    throw Error(
        fmt::format("{}: {} hosts have ranks, more than {}", name, placed.machines.size(), most_hosts_with_ranks),
        "put ranks on fewer, by a host file");
  }
  Fabric fabric(network, std::move(placed.machines));
  const Latencies latencies = latencies_of(fabric);
  HostGroup groups = find_clusters(latencies);
  const simgrid::Sharing sharing = simgrid::find_sharing(fabric);
  simgrid::split_at_uplinks(groups, fabric, sharing);
  simgrid::name_by_zones(groups, fabric);
  return simgrid::assemble(fabric, placed.host_of, latencies, groups, simgrid::find_rates(fabric, sharing, groups));
}

std::vector<std::string> hosts_of_simgrid(std::string_view text, const std::string& name) {
  const Network network = simgrid::read_network({.text = text, .name = name});
  std::vector<std::string> hosts;
  for (const simgrid::Machine& machine : network.machines) hosts.push_back(network.point(machine.point).name);
  return hosts;
}

}  // namespace tombolo
