#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tombolo/platform/host_levels.hpp>
#include <tombolo/platform/latency_parts.hpp>
#include <tombolo/platform/level_tree.hpp>
#include <tombolo/platform/simgrid/assemble.hpp>

namespace tombolo::simgrid {

namespace {

// Of a message from a host to itself where the description has no loopback: SimGrid's network/loopback-bw.
constexpr BytesPerSecond usual_loopback = 10'000'000'000;

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

std::vector<std::vector<Rank>> ranks_by_host(const std::vector<int>& host_of, int hosts) {
  std::vector<std::vector<Rank>> ranks(at(hosts));
  for (std::size_t r = 0; r < host_of.size(); ++r) ranks[at(host_of[r])].push_back(static_cast<Rank>(r));
  return ranks;
}

// A rank has the speed of the threads that it may run, as many as its part of the host's cores.
Processor processor(const Fabric& fabric, int host, int ranks) {
  constexpr double highest_speed = 1e18;
  const Machine& machine = fabric.machine(host);
  const double cores = std::max(machine.cores / ranks, 1);
  const double part = std::min(1.0, static_cast<double>(machine.cores) / ranks);  // of a core that several share
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

// Groups and clusters, in the order of the walk that numbers them.
void fill(Level& level, const LatencyParts& parts, const Rates& rates, std::size_t& groups, std::size_t& clusters) {
  level.uplink.value = rates.uplinks[groups++];
  if (level.kind == Level::Kind::cluster) {
    level.latency = parts.inside[clusters++];
    return;
  }
  for (Level& child : level.children) fill(child, parts, rates, groups, clusters);
}

}  // namespace

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

}  // namespace tombolo::simgrid
