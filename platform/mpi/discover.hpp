#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// How a platform is to be discovered.
struct DiscoveryOptions {
  double budget = 30;        ///< seconds that it should take at most; half as much again where links are long
  double precision = 0.02;   ///< half width of the confidence interval at which a figure is measured no more, relative
  double bound = 0.2;        ///< by which the links of a cluster's hosts may differ, relative (find_clusters)
  StatedLevels stated = {};  ///< by host, in the order of their first ranks; empty where nothing is stated
  /// Called on rank 0: the stage, and how far it is.
  std::function<void(const std::string& stage, const std::string& what)> progress = {};
};

/// Measures the network between the ranks of a communicator and partitions its hosts, by point-to-point messages alone:
/// round trips between pairs of hosts, in rounds of disjoint pairs; from these the logical clusters; the rates of
/// hosts, one flow at a time and all together, which shows links that they share; the rates of links between clusters,
/// by one flow and by as many as there are hosts; and latency and rate at every level inside the hosts.
///
/// `processors`: who the ranks are, by rank, the same on all ranks; they are part of the result. The same platform
/// comes out on all ranks, bit for bit. Collective.
Platform discover(MPI_Comm all, std::vector<Processor> processors, const DiscoveryOptions& options);

}  // namespace tombolo
