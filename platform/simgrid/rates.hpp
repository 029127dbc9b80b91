#pragma once

#include <string>
#include <vector>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/platform.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>

namespace tombolo::simgrid {

/// What messages get; 0 where nothing limits them. In B/s.
struct Rates {
  std::vector<BytesPerSecond> hosts;  ///< that one message to or from each gets at most
  std::vector<Link> links;            ///< between clusters, without latencies
  /// By group, as a walk meets them, the outermost first: what all messages that leave it share; 0 where that is as
  /// much as its hosts could send.
  std::vector<BytesPerSecond> uplinks;
  std::vector<std::string> left_out;  ///< what a platform cannot say, for people
};

/// Looks at the routes of all pairs once more.
Rates find_rates(Fabric& fabric, const Sharing& sharing, const HostGroup& groups);

}  // namespace tombolo::simgrid
