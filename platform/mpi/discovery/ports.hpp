#pragma once

#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures the maximum rate of one message to or from each host, with partners in its own cluster, in disjoint pairs,
/// in all clusters concurrently. By host, on rank 0 only; {0, 0} for the only host of a cluster. Collective.
std::vector<Measured> measure_ports(Team& team, const std::vector<std::vector<int>>& clusters);

/// Measures rates under load: all hosts of all clusters exchange large messages concurrently, in pairs, round after
/// round. Links shared by pairs lower their rates. On rank 0 only. Collective.
std::vector<LoadedPair> measure_load(Team& team, const std::vector<std::vector<int>>& clusters);

}  // namespace tombolo::discovery
