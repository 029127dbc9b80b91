#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/simgrid/assemble.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/rates.hpp>
#include <tombolo/platform/simgrid/reader.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>
#include <tombolo/platform/simgrid/split.hpp>
#include <tombolo/platform/simgrid_xml.hpp>

namespace tombolo {

namespace {

using simgrid::Fabric;
using simgrid::Network;

constexpr std::size_t most_hosts_with_ranks = 4096;

// The hosts that have ranks, in the order of their first ones, and which of them each rank is on.
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

// The mean of both directions, which hardly ever differ.
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
