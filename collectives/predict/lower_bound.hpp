#pragma once

#include <vector>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// A partition of a platform's clusters into two parts, and the links in between.
struct Cut {
  std::vector<bool> inside;  ///< by cluster, in the order of clusters()
  BytesPerSecond rate = 0;   ///< total of all links across, each way
  Picoseconds latency = 0;   ///< least latency of the links across
};

/// Enumerates cuts: all bipartitions of up to 8 clusters; for more clusters, each cluster and each group of clusters
/// against the rest. Keeps a cut only if the total rate of every link across is known to be a limit: measured with as
/// many concurrent messages as the smaller cluster has hosts, or with fewer that reached less than 90 % of the sum of
/// their single rates.
std::vector<Cut> cuts(const Platform& platform);

/// Lower bound on the time of any plan for the request under the model: the load of the busiest port and the
/// unavoidable latencies. Reports use the bound to show the distance of a time from the limit.
Picoseconds lower_bound(const Request& request, const Hockney& model);

/// Lower bound on a platform: the largest of
/// - the latency between the two ranks farthest apart with one needing data of the other, by the
///   shortest way, which may lead over clusters of other ranks of the request;
/// - the bytes that must enter or leave (crossing(), rules.hpp) each host, at the rate of its link, and each group of
///   hosts behind an uplink, at the rate of the uplink, after the least latency;
/// - the bytes that must pass between two parts of the clusters (cuts()), at the total rate of all links in between;
/// - the bytes that all hosts together must send, at the sum of their rates.
/// Links of unknown rate contribute no bound. The request must hold all counts.
Picoseconds lower_bound(const Request& request, const Platform& platform);

/// Lower bound for a subset of the platform's ranks: rank r of the request is members[r]. Other hosts take no part.
Picoseconds lower_bound(const Request& request, const Platform& platform, const std::vector<Rank>& members);

}  // namespace tombolo
