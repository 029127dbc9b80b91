#pragma once

#include <tombolo/platform/latencies.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures pairs of hosts again whose latencies are not sure enough to be told apart within `bound`: with fewer at the
/// same time, as few as the time of the stage allows, since ranks that share a machine, or a link, are in each other's
/// way. Several times over, some time apart, and what differs is part of the error. `latencies` are on rank 0 only.
/// Simulated machines are in nobody's way. Collective.
void refine_latencies(Team& team, Overheads mine, Latencies& latencies, double bound);

}  // namespace tombolo::discovery
