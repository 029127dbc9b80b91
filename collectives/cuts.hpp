#pragma once

#include <vector>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// A platform's clusters in two parts, and what connects them.
struct Cut {
  std::vector<bool> inside;  ///< by cluster, in the order of clusters()
  BytesPerSecond rate = 0;   ///< of all links across together, each way
  Picoseconds latency = 0;   ///< the least of them
};

/// Every way to part few clusters, of many each one and each group; of these those of whose links across all are known
/// to carry no more than what was measured: as many messages at a time as there are hosts, or fewer that got in one
/// another's way.
std::vector<Cut> cuts(const Platform& platform);

}  // namespace tombolo
