#pragma once

#include <vector>

#include <tombolo/platform/simgrid/fabric.hpp>

namespace tombolo::simgrid {

/// Who uses which wire.
struct Sharing {
  /// By wire: the host that has it for itself, on all its messages out or in; -1 where there is none.
  std::vector<int> owner;
  /// By wire: whether messages of several hosts share it, and it carries less than these could send.
  std::vector<char> contended;
  /// By host: what its own wires let through; unlimited where it has none.
  std::vector<BytesPerSecond> own_rate;
};

/// Looks at the routes of all pairs.
Sharing find_sharing(Fabric& fabric);

/// The least rate of a route's wires that no host has for itself; unlimited where there are none.
BytesPerSecond rate_beyond_hosts(const Fabric& fabric, const Sharing& sharing, std::span<const int> route);

}  // namespace tombolo::simgrid
