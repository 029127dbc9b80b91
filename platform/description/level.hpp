#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform/description/measured.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A group of ranks that are near to each other, and the groups inside it. The outermost level is the whole platform.
///
/// From the outside in: groups of clusters, to any depth; logical clusters, whose children are hosts; hosts; in a host
/// of several ranks, the packages, memory nodes and caches that some of its ranks share; ranks. A level with a single
/// child is left out, except clusters of one host and hosts of one rank. A platform of one cluster is that cluster.
struct Level {
  /// The resource that the members share, from the outermost kind inwards.
  enum class Kind { group, cluster, host, package, numa, cache, core, rank };

  Kind kind = Kind::cluster;
  std::string name;
  std::vector<Rank> ranks;      ///< ascending
  std::vector<Level> children;  ///< in the order of their first ranks; empty for a rank and for a host of one rank

  /// Latency between ranks of different children, beyond the latencies of their hosts; from a cluster inwards.
  Measured latency = {};
  /// Rate of one message between ranks of different children, in B/s, 0 if not measured; from a host inwards.
  Measured rate = {};
  /// Total rate of all messages that leave a group or cluster, in B/s, if less than its hosts could send; 0 if no such
  /// limit was found.
  Measured uplink = {};

  bool operator==(const Level&) const = default;
};

/// The names of the kinds of levels, in the order of Level::Kind.
constexpr std::array<std::string_view, 8> level_kind_names = {"group", "cluster", "host", "package",
                                                              "numa",  "cache",   "core", "rank"};

constexpr std::string_view name_of(Level::Kind kind) {
  return level_kind_names[static_cast<std::size_t>(kind)];
}

/// The level's kind and name, for messages: cluster "c21".
std::string described(const Level& level);

}  // namespace tombolo
