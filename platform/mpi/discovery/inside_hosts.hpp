#pragma once

#include <vector>

#include <tombolo/platform/level.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures latency and rate between ranks of each host, at every level inside it, all hosts at the same time, and
/// enters them in these levels, which are the hosts'. The team is all ranks. Entered on rank 0 only. Collective.
void measure_inside_hosts(Team& team, std::vector<Level>& hosts);

}  // namespace tombolo::discovery
