#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include <tombolo/models/experiments/experiment_places.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Bytes that take less than this part of the latency are not noticed.
constexpr Picoseconds noticed_part = 16;

std::vector<int> numbered_hosts(const Platform& platform) {
  std::map<std::string, int> numbers;
  std::vector<int> hosts;
  for (const Processor& processor : platform.processors) {
    hosts.push_back(numbers.emplace(processor.host, static_cast<int>(numbers.size())).first->second);
  }
  return hosts;
}

// Finds the uplinks and backbones of a platform.
class SharedLinks {
 public:
  explicit SharedLinks(const Platform& platform)
      : platform_(platform), routes_(platform), clusters_(clusters(platform.levels)) {
    collect(platform.levels);
  }

  std::vector<ExperimentPlaces::Shared> all() && { return std::move(all_); }

 private:
  void collect(const Level& level) {
    if (level.uplink.value > 0) add(level, level.uplink.value, true);
    if (level.kind == Level::Kind::cluster) {
      if (level.backbone.value > 0) add(level, level.backbone.value, false);
      return;
    }
    for (const Level& child : level.children) collect(child);
  }

  void add(const Level& level, BytesPerSecond rate, bool crossed) {
    ExperimentPlaces::Shared shared{.inside = std::vector<bool>(platform_.processors.size(), false),
                                    .crossed = crossed};
    BytesPerSecond fastest = 0;
    for (const Rank rank : level.ranks) {
      shared.inside[static_cast<std::size_t>(rank)] = true;
      fastest = std::max(fastest, platform_.hosts[static_cast<std::size_t>(routes_.host_of(rank))].rate.value);
    }
    // Where no host's rate is known, one message may fill it.
    if (fastest > 0) {
      shared.most = static_cast<int>(std::clamp<BytesPerSecond>(rate / fastest, 1, std::numeric_limits<int>::max()));
    }
    const Picoseconds latency = crossed ? shortest_way_out(level) : 0;
    shared.noticed = bytes_in(latency / noticed_part, rate);
    all_.push_back(std::move(shared));
  }

  // The least latency to another cluster, of a rank for all of the level.
  Picoseconds shortest_way_out(const Level& level) const {
    Picoseconds shortest = never;
    for (const Level* cluster : clusters_) {
      if (std::ranges::binary_search(level.ranks, cluster->ranks.front())) continue;
      shortest = std::min(shortest, routes_.latency(level.ranks.front(), cluster->ranks.front()));
    }
    return shortest < never ? shortest : 0;
  }

  static Bytes bytes_in(Picoseconds time, BytesPerSecond rate) {
    return static_cast<Bytes>(static_cast<double>(time) * static_cast<double>(rate) / picoseconds_per_second);
  }

  const Platform& platform_;
  Routes routes_;
  std::vector<const Level*> clusters_;
  std::vector<ExperimentPlaces::Shared> all_;
};

}  // namespace

ExperimentPlaces::ExperimentPlaces(std::vector<int> host_of, std::vector<Shared> shared)
    : host_of_(std::move(host_of)),
      hosts_(host_of_.empty() ? 0 : *std::ranges::max_element(host_of_) + 1),
      shared_(std::move(shared)) {}

ExperimentPlaces::ExperimentPlaces(const Platform& platform)
    : ExperimentPlaces(numbered_hosts(platform), SharedLinks(platform).all()) {}

std::vector<int> ExperimentPlaces::hosts_of(const Experiment& experiment) const {
  std::vector<int> hosts;
  for (const Rank rank : Participants(experiment)) hosts.push_back(host_of(rank));
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

std::vector<int> ExperimentPlaces::shared_by(const Experiment& experiment) const {
  const Bytes bytes = std::max(experiment.there, experiment.back);
  const Participants participants(experiment);
  std::vector<int> found;
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    const Shared& shared = shared_[i];
    if (bytes == 0 || bytes < shared.noticed) continue;
    const auto inside = [&shared](Rank rank) { return shared.inside[static_cast<std::size_t>(rank)]; };
    if (std::ranges::none_of(participants, inside)) continue;
    if (shared.crossed && std::ranges::all_of(participants, inside)) continue;
    found.push_back(static_cast<int>(i));
  }
  return found;
}

}  // namespace tombolo
