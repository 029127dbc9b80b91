#pragma once

#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// A host that is faster than all others of its cluster looks as fast as the fastest of these. Each host of a cluster
/// of three or more sends to two others at once. Those that get half as much again as their rate, unless most of the
/// cluster get more by over `bound`, then send to all others, and what these get is their rate. `ports`: the rates of
/// hosts so far; `fixed`: by cluster, the longest of LargeMessage. Returns hosts and their rates, the same on all
/// ranks. Collective.
std::vector<std::pair<int, Measured>> measure_fast_hosts(Team& team, const std::vector<std::vector<int>>& clusters,
                                                         const Figures& ports, const Figures& fixed, double bound);

}  // namespace tombolo::discovery
