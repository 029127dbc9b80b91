#pragma once

#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// A partition of a platform's clusters into two parts, and the links in between.
struct Cut {
  std::vector<bool> inside;  ///< by cluster, in the order of clusters()
  BytesPerSecond rate = 0;   ///< total of all links across, each way
  Picoseconds latency = 0;   ///< least latency of the links across
};

/// Returns true if the total rate of a link is known to be a limit: measured with as many concurrent messages as the
/// smaller of its clusters has hosts, or with fewer that reached less than 90 % of the sum of their single rates.
bool is_limited(const Link& link, const std::vector<const Level*>& clusters);

/// Enumerates cuts: all bipartitions of up to 8 clusters; for more clusters, each cluster and each group of clusters
/// against the rest. Keeps a cut only if every link across is_limited().
std::vector<Cut> cuts(const Platform& platform);

}  // namespace tombolo
