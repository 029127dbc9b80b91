#pragma once

#include <tombolo/platform/loaded_groups.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// The most that one message to or from each host gets, measured with hosts of its own cluster, in disjoint pairs, all
/// clusters at the same time. By host, on rank 0 only; {0, 0} for a host that is alone in its cluster. Collective.
std::vector<Measured> measure_ports(Team& team, const std::vector<std::vector<int>>& clusters);

/// All hosts of all clusters exchange large messages at the same time, in pairs, round after round: links which pairs
/// share slow them down. On rank 0 only. Collective.
std::vector<LoadedPair> measure_load(Team& team, const std::vector<std::vector<int>>& clusters);

}  // namespace tombolo::discovery
