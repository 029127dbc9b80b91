#pragma once

#include <string>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/description/link_ways.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>

namespace tombolo::simgrid {

/// Rates of messages, in B/s; 0 for no limit.
struct Rates {
  std::vector<BytesPerSecond> hosts;  ///< maximum of one message to or from the host
  std::vector<Link> links;            ///< between clusters, without latencies
  std::vector<SharedLine> lines;      ///< that several links share
  std::vector<LinkWays> ways;         ///< by link, of the first hosts of both clusters
  /// By group, in depth-first order: the shared rate of all messages that leave the group; 0 if not less than its hosts
  /// could send.
  std::vector<BytesPerSecond> uplinks;
  /// By group, in depth-first order: the shared rate of all messages that leave or enter one of its children (hosts of
  /// a cluster); 0 if not less than its hosts could send.
  std::vector<BytesPerSecond> backbones;
  std::vector<std::string> left_out;  ///< properties that a platform cannot express, for people
};

/// Finds the rates in one pass over the routes of all pairs.
Rates find_rates(const Fabric& fabric, const Sharing& sharing, const HostGroup& groups);

}  // namespace tombolo::simgrid
