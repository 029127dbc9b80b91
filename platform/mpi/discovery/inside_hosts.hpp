#pragma once

#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures latency and rate between ranks of each host, at every level inside it, on all hosts concurrently, and
/// enters them into `hosts`, the levels of the hosts, on rank 0 only. Returns there, by host, the total rate of large
/// messages of all its ranks at once where these get less than each alone, by more than `bound`; 0 elsewhere, and where
/// ranks outnumber the cores of these `processors`. The team is all ranks. Collective.
std::vector<Measured> measure_inside_hosts(Team& team, const std::vector<Processor>& processors,
                                           std::vector<Level>& hosts, double bound);

}  // namespace tombolo::discovery
