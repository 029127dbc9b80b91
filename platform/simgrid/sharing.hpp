#pragma once

#include <vector>

#include <tombolo/platform/simgrid/fabric.hpp>

namespace tombolo::simgrid {

/// The users of each wire.
struct Sharing {
  /// By wire: the host that uses the wire exclusively, for all its outgoing or all its incoming messages; -1 if there
  /// is none.
  std::vector<int> owner;
  /// By wire: true if several hosts share the wire and its rate is less than they could send.
  std::vector<char> contended;
  /// By host: the rate of its own wires; unlimited if it has none.
  std::vector<BytesPerSecond> own_rate;
};

/// Finds the sharing from the routes of all pairs.
Sharing find_sharing(const Fabric& fabric);

/// Returns the smallest rate among a route's wires that are not exclusive to a host; unlimited if there are none.
BytesPerSecond rate_beyond_hosts(const Fabric& fabric, const Sharing& sharing, std::span<const int> route);

}  // namespace tombolo::simgrid
