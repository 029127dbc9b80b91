#pragma once

#include <string>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>

namespace tombolo::discovery {

/// The network between hosts, as discovered; on rank 0 of the team only.
struct Network {
  HostGroup groups;
  Latencies latencies{0};
  std::vector<Overheads> overheads;  ///< by host
  std::vector<Measured> ports;       ///< by host, B/s
  std::vector<Measured> memories;    ///< by host, B/s
  std::vector<LinkRates> links;      ///< by pair of clusters
  std::vector<SharedLine> lines;     ///< that links share
  std::vector<Measured> uplinks;     ///< by group, in depth-first order, the outermost first
  std::vector<Measured> backbones;   ///< by group, as uplinks
  std::vector<std::string> not_measured;
};

/// Runs all stages of the discovery between hosts, one after the other. Collective.
Network discover_network(Team& team, const DiscoveryOptions& options);

}  // namespace tombolo::discovery
