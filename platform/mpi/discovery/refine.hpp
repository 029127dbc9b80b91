#pragma once

#include <tombolo/platform/clustering/latencies.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures again the pairs of hosts whose latencies are too uncertain for a comparison within `bound`. Few pairs at a
/// time, as few as the time of the stage allows, since ranks that share a machine or a link disturb each other. Two
/// passes, some time apart; the difference between passes enters the error. `latencies` are on rank 0 only. Does
/// nothing on simulated machines, which have no disturbances. Collective.
void refine_latencies(Team& team, Overheads mine, Latencies& latencies, double bound);

}  // namespace tombolo::discovery
