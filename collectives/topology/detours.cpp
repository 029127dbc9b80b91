#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/topology/detours.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error("detours " + what, "choose the plans anew");
}

void check(const Detours::Pair& pair, const Partition& relays) {
  const auto clusters = static_cast<int>(relays.size());
  const auto inside = [clusters](int cluster) { return cluster >= 0 && cluster < clusters; };
  if (!inside(pair.from) || !inside(pair.to) || pair.from == pair.to || pair.ways.empty() || pair.segment_bytes < 0) {
    refuse(fmt::format("from cluster {} to {} of {}, in {} ways", pair.from, pair.to, clusters, pair.ways.size()));
  }
  for (const Detours::Way& way : pair.ways) {
    constexpr std::int64_t most = 1 << 20;
    if (way.weight < 1 || way.weight > most || way.window < 1) {
      refuse(fmt::format("with a weight of {} and a window of {}", way.weight, way.window));
    }
    std::set<int> visited{pair.from, pair.to};
    for (const int cluster : way.over) {
      if (!inside(cluster) || !visited.insert(cluster).second || relays[static_cast<std::size_t>(cluster)].empty()) {
        refuse(fmt::format("over cluster {}", cluster));
      }
    }
  }
}

}  // namespace

Detours::Detours(Partition clusters, Partition relays, std::vector<Pair> pairs) {
  Held held{.clusters = std::move(clusters), .relays = std::move(relays), .pairs = std::move(pairs)};
  const std::size_t count = held.clusters.size();
  std::size_t ranks = 0;
  for (const std::vector<Rank>& cluster : held.clusters) ranks += cluster.size();
  held.cluster_of.resize(ranks, -1);
  for (std::size_t cluster = 0; cluster < count; ++cluster) {
    for (const Rank rank : held.clusters[cluster]) {
      const bool is_new = rank >= 0 && static_cast<std::size_t>(rank) < ranks &&
                          std::exchange(held.cluster_of[static_cast<std::size_t>(rank)], static_cast<int>(cluster)) < 0;
      if (!is_new) refuse(fmt::format("with rank {} in cluster {} of {} ranks", rank, cluster, ranks));
    }
  }
  if (held.relays.size() != count) refuse(fmt::format("with relays of {} of {} clusters", held.relays.size(), count));
  for (std::size_t cluster = 0; cluster < count; ++cluster) {
    for (const Rank relay : held.relays[cluster]) {
      if (std::ranges::find(held.clusters[cluster], relay) != held.clusters[cluster].end()) continue;
      refuse(fmt::format("with rank {} as a relay of cluster {}", relay, cluster));
    }
  }
  held.pair_of.assign(count, std::vector<int>(count, -1));
  for (std::size_t index = 0; index < held.pairs.size(); ++index) {
    const Pair& pair = held.pairs[index];
    check(pair, held.relays);
    int& place = held.pair_of[static_cast<std::size_t>(pair.from)][static_cast<std::size_t>(pair.to)];
    if (place >= 0) refuse(fmt::format("from cluster {} to {} twice", pair.from, pair.to));
    place = static_cast<int>(index);
  }
  held_ = std::make_shared<const Held>(std::move(held));
}

int Detours::pair_of(Rank from, Rank to) const {
  const auto cluster = [this](Rank rank) {
    return static_cast<std::size_t>(held_->cluster_of[static_cast<std::size_t>(rank)]);
  };
  return held_->pair_of[cluster(from)][cluster(to)];
}

bool Detours::operator==(const Detours& other) const {
  if (held_ == other.held_) return true;
  return held_ && other.held_ && held_->clusters == other.held_->clusters && held_->relays == other.held_->relays &&
         held_->pairs == other.held_->pairs;
}

}  // namespace tombolo
