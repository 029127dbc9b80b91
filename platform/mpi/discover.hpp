#pragma once

#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>

namespace tombolo {

/// Options of a discovery.
struct DiscoveryOptions {
  double budget = 30;        ///< maximum duration in seconds; 50 % more if links are long
  double precision = 0.02;   ///< relative half width of a confidence interval at which the measurement of a figure ends
  double bound = 0.2;        ///< relative difference allowed between the links of a cluster's hosts (find_clusters)
  StatedLevels stated = {};  ///< by host, in the order of their first ranks; empty if nothing is stated
  /// Called on rank 0 with the stage and its progress.
  std::function<void(const std::string& stage, const std::string& what)> progress = {};
};

/// Measures the network between the ranks of a communicator and partitions its hosts, with point-to-point messages
/// only. Measured are round trips between pairs of hosts, in rounds of disjoint pairs, for the logical clusters; the
/// rates of hosts, one flow at a time and all together, for shared links; the rates of links between clusters, by one
/// flow and by as many as there are hosts; latency and rate at every level inside the hosts.
///
/// `processors`: the processors by rank, the same on all ranks; part of the result. Returns the same platform on all
/// ranks, bit for bit. Collective.
Platform discover(MPI_Comm all, std::vector<Processor> processors, const DiscoveryOptions& options);

}  // namespace tombolo
