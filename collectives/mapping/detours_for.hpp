#pragma once

#include <vector>

#include <tombolo/collectives/mapping/cluster_links.hpp>
#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo {

/// Bytes from each cluster to each other one.
using ClusterDemands = std::vector<std::vector<Bytes>>;

/// Divides the bytes between clusters among the ways of `links` so that the busiest resource is busy for as short a
/// time as possible: a concurrent multicommodity flow, in units of a 64th of each demand. Returns the number of units
/// by cluster, cluster and way. The time is within some percent of the least: the search minimises a sum of powers of
/// two of the resources' times, by moving units as long as that helps.
std::vector<std::vector<std::vector<int>>> divided_among_ways(const ClusterLinks& links, const ClusterDemands& demands);
/// Units of a demand in divided_among_ways().
constexpr int flow_units = 64;

/// Returns detours for the messages of a plan without detours: by divided_among_ways() of its bytes, and by the least
/// latencies. Empty if no message would go otherwise than directly, or if a rank does not know all counts. `links` are
/// those of the ranks of the request.
std::vector<Detours> detours_for(const Plan& plan, const ClusterLinks& links);

}  // namespace tombolo
