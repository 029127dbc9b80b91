#pragma once

#include <string>
#include <vector>

#include <tombolo/platform/measured.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A group of ranks that are near to each other, and the groups inside it. The whole platform is the outermost one.
///
/// From the outside in: groups of clusters, to any depth; logical clusters, whose children are hosts; hosts; where a
/// host has several ranks, the packages, memory nodes and caches that some of them share; ranks. A level with one child
/// only is left out, but for clusters of one host and hosts of one rank. One cluster alone is the whole platform.
struct Level {
  /// What its members share, from the outermost kind inwards.
  enum class Kind { group, cluster, host, package, numa, cache, core, rank };

  Kind kind = Kind::cluster;
  std::string name;
  std::vector<Rank> ranks;      ///< ascending
  std::vector<Level> children;  ///< in the order of their first ranks; none in a rank and in a host of one rank

  /// From a cluster inwards: between ranks of different children, beyond what these hosts take themselves.
  Measured latency = {};
  /// From a host inwards: of one message between ranks of different children, in B/s; 0 where not measured.
  Measured rate = {};
  /// Of a group or cluster: what all messages together that leave it get through, in B/s, where that is less than its
  /// hosts could send; 0 where no such limit was found.
  Measured uplink = {};

  bool operator==(const Level&) const = default;
};

}  // namespace tombolo
