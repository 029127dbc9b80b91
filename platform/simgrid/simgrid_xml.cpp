#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/latencies.hpp>
#include <tombolo/platform/clustering/latency_parts.hpp>
#include <tombolo/platform/clustering/level_tree.hpp>
#include <tombolo/platform/description/host_levels.hpp>
#include <tombolo/platform/description/link_ways.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/rates.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>
#include <tombolo/platform/simgrid/simgrid_xml.hpp>
#include <tombolo/platform/simgrid/split.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

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

Level host_level_of(const Fabric& fabric, int host, const std::vector<Rank>& ranks) {
  Level level = host_level(fabric.name(host), ranks, std::vector<Place>(ranks.size()));
  if (ranks.size() > 1) {
    level.latency.value = fabric.latency(host, host);
    BytesPerSecond rate = unlimited;
    for (const int wire : fabric.route(host, host)) rate = std::min(rate, fabric.wire(wire).rate);
    level.rate.value = rate == unlimited ? usual_loopback : rate;
  }
  return level;
}

// Fills in groups and clusters, in depth-first order.
void fill(Level& level, const LatencyParts& parts, const Rates& rates, std::size_t& groups, std::size_t& clusters) {
  level.backbone.value = rates.backbones[groups];
  level.uplink.value = rates.uplinks[groups++];
  if (level.kind == Level::Kind::cluster) {
    level.latency = parts.inside[clusters++];
    return;
  }
  for (Level& child : level.children) fill(child, parts, rates, groups, clusters);
}

// Assembles a Platform from the results of the analysis; `host_of`: the host of each rank.
Platform assemble(const Fabric& fabric, const std::string& source, const std::vector<int>& host_of,
                  const Latencies& latencies, const HostGroup& groups, const Rates& rates) {
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
  platform.lines = rates.lines;
  platform.origin.source = "SimGrid XML " + source;
  platform.origin.simulated = true;
  platform.origin.not_measured = rates.left_out;
  note_uneven_ways(platform, rates.ways);
  platform.origin.not_measured.emplace_back("overheads of sending and receiving, which SimGrid's settings state");
  return platform;
}

}  // namespace

}  // namespace tombolo::simgrid

namespace tombolo {

namespace {

using simgrid::Fabric;

// The hosts with ranks, in the order of their first ranks, and the host of each rank as an index into these.
struct Placed {
  std::vector<std::string> hosts;
  std::vector<int> host_of;
};

Placed place(const std::vector<std::string>& hosts_by_rank) {
  Placed placed;
  std::unordered_map<std::string, int> known;
  for (const std::string& name : hosts_by_rank) {
    const auto [host, is_new] = known.try_emplace(name, static_cast<int>(placed.hosts.size()));
    if (is_new) placed.hosts.push_back(name);
    placed.host_of.push_back(host->second);
  }
  return placed;
}

// Returns the mean latencies of both directions, which hardly ever differ.
Latencies latencies_of(const Fabric& fabric) {
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
  Placed placed = place(hosts_by_rank);
  const Fabric fabric =
      simgrid::read_fabric(text, name, hosts_by_rank.empty() ? std::nullopt : std::optional(std::move(placed.hosts)));
  if (hosts_by_rank.empty()) {
    placed.host_of.resize(static_cast<std::size_t>(fabric.hosts()));
    std::iota(placed.host_of.begin(), placed.host_of.end(), 0);
  }
  const Latencies latencies = latencies_of(fabric);
  HostGroup groups = find_clusters(latencies);
  const simgrid::Sharing sharing = simgrid::find_sharing(fabric);
  simgrid::split_at_uplinks(groups, fabric, sharing);
  // Of fewer clusters no line is shared by several on both sides, and looking at all routes takes a while.
  if (simgrid::clusters_of(groups).size() > 3) group_at_lines(groups, simgrid::lines_between(fabric, sharing));
  simgrid::name_by_zones(groups, fabric);
  const simgrid::Rates rates = simgrid::find_rates(fabric, sharing, groups);
  return simgrid::assemble(fabric, name, placed.host_of, latencies, groups, rates);
}

}  // namespace tombolo
