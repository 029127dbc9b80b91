#pragma once

#include <vector>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/latencies.hpp>

namespace tombolo {

/// What of the latencies of a partition is the hosts' own, and what remains between and inside clusters; all in ps.
struct LatencyParts {
  std::vector<Measured> own;      ///< by host
  std::vector<Measured> inside;   ///< by cluster: what remains between two of its hosts
  std::vector<Measured> between;  ///< by pair of clusters, as link_index() numbers them
};

/// Splits latencies into own + between + own such that every measured pair is met as well as can be. Clusters in the
/// order in which a walk through the groups meets them. No part is negative.
///
/// Hosts of a cluster differ by their own parts only, so `inside` is 0, unless own parts would be larger than what was
/// measured to another cluster. Two hosts take half each, one host nothing; a host without a latency inside its
/// cluster takes what the others take on average. Where nothing was measured between two clusters, the shortest way
/// over a third one. Errors are of the measurements or of the fit, whichever is larger.
LatencyParts split_latencies(const Latencies& latencies, const HostGroup& groups);

}  // namespace tombolo
