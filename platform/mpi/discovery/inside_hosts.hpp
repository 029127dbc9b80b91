#pragma once

#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures latency and rate between ranks of each host, at every level inside it, on all hosts concurrently, and
/// enters them into `hosts`, the levels of the hosts, on rank 0 only. The team is all ranks. Collective.
void measure_inside_hosts(Team& team, std::vector<Level>& hosts);

}  // namespace tombolo::discovery
