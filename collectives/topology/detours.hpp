#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tombolo/collectives/topology/nested_groups.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Ways of messages between clusters over other clusters, whose relays forward them (plan/detoured.hpp). Overlay
/// routes, as in Andersen et al. (2001), Resilient overlay networks. May be empty. A value: copies share immutable
/// data.
class Detours {
 public:
  struct Way {
    std::vector<int> over{};  ///< clusters on the way, in order; none: directly
    std::int64_t weight = 1;  ///< share of the elements, relative to the other ways
    int window = 2;           ///< segments of a message under way on each hop
    bool operator==(const Way&) const = default;
  };
  /// The ways from one cluster to another.
  struct Pair {
    int from = 0;
    int to = 0;
    Bytes segment_bytes = 0;  ///< of forwarded messages; 0: uncut
    std::vector<Way> ways{};
    bool operator==(const Pair&) const = default;
  };

  /// No detours.
  Detours() = default;
  /// `relays` lists, by cluster, the ranks that forward. Throws Error for ranks that are not in exactly one cluster,
  /// relays that are not of their cluster, pairs without ways or listed twice, a weight, window or size out of range,
  /// and a way that visits a cluster twice or one without relays.
  Detours(Partition clusters, Partition relays, std::vector<Pair> pairs);

  bool empty() const { return held_ == nullptr; }
  /// The following functions require a value that is not empty.
  int ranks() const { return static_cast<int>(held_->cluster_of.size()); }
  const Partition& clusters() const { return held_->clusters; }
  const Partition& relays() const { return held_->relays; }
  const std::vector<Pair>& pairs() const { return held_->pairs; }
  /// The index in pairs() of the pair for messages from one rank to another; -1: these go directly.
  int pair_of(Rank from, Rank to) const;

  bool operator==(const Detours& other) const;

 private:
  struct Held {
    Partition clusters;
    Partition relays;
    std::vector<Pair> pairs;
    std::vector<int> cluster_of{};            // by rank
    std::vector<std::vector<int>> pair_of{};  // by cluster and cluster
  };
  std::shared_ptr<const Held> held_;
};

}  // namespace tombolo
