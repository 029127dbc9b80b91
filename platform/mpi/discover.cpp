#include <algorithm>
#include <map>
#include <utility>

#include <tombolo/platform/clustering/latency_parts.hpp>
#include <tombolo/platform/clustering/level_tree.hpp>
#include <tombolo/platform/description/host_levels.hpp>
#include <tombolo/platform/description/link_ways.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/mpi/discovery/inside_hosts.hpp>
#include <tombolo/platform/mpi/discovery/network.hpp>
#include <tombolo/platform/mpi/discovery/shared_cores.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

namespace tombolo {

using namespace discovery;

namespace {

// The largest message in bytes: half a second at 1 Gb/s, and more than any long link has in transit.
constexpr Bytes largest = Bytes{1} << 26;
// The part of the budget for measurements inside hosts, before those of the network.
constexpr double part_inside_hosts = 0.1;

std::vector<Level> levels_of_hosts(const std::vector<Processor>& processors) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<Rank>> ranks;
  for (std::size_t r = 0; r < processors.size(); ++r) {
    std::vector<Rank>& of_host = ranks[processors[r].host];
    if (of_host.empty()) names.push_back(processors[r].host);
    of_host.push_back(static_cast<Rank>(r));
  }
  std::vector<Level> hosts;
  for (const std::string& name : names) {
    std::vector<Place> places;
    for (const Rank rank : ranks[name]) places.push_back(processors[static_cast<std::size_t>(rank)].place);
    hosts.push_back(host_level(name, ranks[name], places));
  }
  return hosts;
}

// Enters the figures of groups and clusters, in depth-first order.
class Figuring {
 public:
  Figuring(const LatencyParts& parts, const Network& network) : parts_(&parts), network_(&network) {}

  void enter(Level& level) {
    level.uplink = network_->uplinks[group_];
    level.backbone = network_->backbones[group_++];
    if (level.kind == Level::Kind::cluster) {
      level.latency = parts_->inside[cluster_++];
      return;
    }
    for (Level& child : level.children) enter(child);
  }

 private:
  const LatencyParts* parts_;
  const Network* network_;
  std::size_t group_ = 0;
  std::size_t cluster_ = 0;
};

// Assembles the platform from the figures of a discovery; `hosts`: the levels inside every host; `cores`: by host.
Platform assemble(std::vector<Processor> processors, std::vector<Level> hosts, const std::vector<CoreUse>& cores,
                  const Network& network) {
  Platform platform;
  platform.processors = std::move(processors);
  const LatencyParts parts = split_latencies(network.latencies, network.groups);
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    platform.hosts.push_back({.name = hosts[h].name,
                              .latency = parts.own[h],
                              .rate = network.ports[h],
                              .memory = network.memories[h],
                              .wake_up = cores[h].wake_up,
                              .message = cores[h].message,
                              .exchange = cores[h].exchange});
    for (const Rank rank : hosts[h].ranks) {
      Processor& processor = platform.processors[static_cast<std::size_t>(rank)];
      processor.send_overhead = network.overheads[h].send;
      processor.receive_overhead = network.overheads[h].receive;
    }
  }
  platform.levels = level_tree(network.groups, std::move(hosts));
  Figuring(parts, network).enter(platform.levels);
  std::vector<LinkWays> ways;
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
      ways.push_back({.rates = {rates.there, rates.back}});
    }
  }
  platform.lines = network.lines;
  platform.origin.source = "discovered";
  platform.origin.not_measured = network.not_measured;
  note_uneven_ways(platform, ways);
  return platform;
}

}  // namespace

Platform discover(MPI_Comm all, std::vector<Processor> processors, const DiscoveryOptions& options) {
  const Picoseconds begin = machine::now();
  int rank = 0;
  int ranks = 1;
  check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(all, &ranks), "MPI_Comm_size");
  const MessageBuffer buffer(all, largest);

  std::vector<Level> hosts = levels_of_hosts(processors);
  Probe inside_probe(all, buffer.bytes());
  Team inside{.communicator = all, .rank = rank, .size = ranks, .probe = inside_probe, .precision = options.precision};
  inside.until = begin + static_cast<Picoseconds>(part_inside_hosts * options.budget * picoseconds_per_second);
  if (rank == 0 && options.progress) options.progress("inside hosts", "");
  const std::vector<Measured> together = measure_inside_hosts(inside, processors, hosts, options.bound);
  std::vector<CoreUse> cores = measure_shared_cores(inside, processors, hosts);
  for (std::size_t h = 0; h < cores.size(); ++h) {
    if (together[h].value > 0) cores[h].exchange = together[h];
  }

  const bool first_of_host =
      std::any_of(hosts.begin(), hosts.end(), [rank](const Level& host) { return host.ranks.front() == rank; });
  MPI_Comm firsts = all;
  const bool every_rank = hosts.size() == processors.size();
  if (!every_rank) {
    check_mpi(MPI_Comm_split(all, first_of_host ? 0 : MPI_UNDEFINED, rank, &firsts), "MPI_Comm_split");
  }
  std::int64_t messages = inside_probe.messages();
  Platform platform;
  if (first_of_host) {
    Probe probe(firsts, buffer.bytes());
    Team team{
        .communicator = firsts, .size = static_cast<int>(hosts.size()), .probe = probe, .precision = options.precision};
    check_mpi(MPI_Comm_rank(firsts, &team.rank), "MPI_Comm_rank");
    const Network network = discover_network(team, options);
    if (rank == 0) platform = assemble(std::move(processors), std::move(hosts), cores, network);
    messages += probe.messages();
    if (!every_rank) check_mpi(MPI_Comm_free(&firsts), "MPI_Comm_free");
  }
  if (!every_rank) {
    // The other ranks of a host sleep and leave the cores to the measuring ranks.
    MPI_Request done = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(all, &done), "MPI_Ibarrier");
    machine::wait_asleep(done);
  }
  check_mpi(MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &messages, &messages, 1, MPI_INT64_T, MPI_SUM, 0, all), "MPI_Reduce");
  std::string text;
  if (rank == 0) {
    platform.origin.simulated = machine::simulated();
    platform.origin.seconds = seconds(machine::now() - begin);
    platform.origin.messages = messages;
    text = to_json(platform);
  }
  text = text_from(all, 0, std::move(text));
  return platform_from_json(text, "the platform that rank 0 sent");  // on rank 0, too, so that all ranks have the same
}

}  // namespace tombolo
