#include <map>
#include <utility>

#include <tombolo/platform/clustering/latency_parts.hpp>
#include <tombolo/platform/clustering/level_tree.hpp>
#include <tombolo/platform/mpi/discovery/assemble.hpp>

namespace tombolo::discovery {

namespace {

// Enters the figures of groups and clusters, in depth-first order.
class Figuring {
 public:
  Figuring(const LatencyParts& parts, const std::vector<Measured>& uplinks) : parts_(&parts), uplinks_(&uplinks) {}

  void enter(Level& level) {
    level.uplink = (*uplinks_)[group_++];
    if (level.kind == Level::Kind::cluster) {
      level.latency = parts_->inside[cluster_++];
      return;
    }
    for (Level& child : level.children) enter(child);
  }

 private:
  const LatencyParts* parts_;
  const std::vector<Measured>* uplinks_;
  std::size_t group_ = 0;
  std::size_t cluster_ = 0;
};

}  // namespace

Platform assemble(std::vector<Processor> processors, std::vector<Level> hosts, const Network& network) {
  Platform platform;
  platform.processors = std::move(processors);
  const LatencyParts parts = split_latencies(network.latencies, network.groups);
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    platform.hosts.push_back(
        {.name = hosts[h].name, .latency = parts.own[h], .rate = network.ports[h], .memory = network.memories[h]});
    for (const Rank rank : hosts[h].ranks) {
      Processor& processor = platform.processors[static_cast<std::size_t>(rank)];
      processor.send_overhead = network.overheads[h].send;
      processor.receive_overhead = network.overheads[h].receive;
    }
  }
  platform.levels = level_tree(network.groups, std::move(hosts));
  Figuring(parts, network.uplinks).enter(platform.levels);
  const int count = static_cast<int>(parts.inside.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const std::size_t at = link_index(a, b, count);
      const LinkRates& rates = network.links[at];
      platform.links.push_back({.a = a,
                                .b = b,
                                .latency = parts.between[at],
                                .rate = rates.one.rate,
                                .total = rates.total,
                                .flows = rates.flows});
    }
  }
  platform.origin.source = "discovered";
  platform.origin.not_measured = network.not_measured;
  return platform;
}

}  // namespace tombolo::discovery
