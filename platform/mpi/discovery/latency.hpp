#pragma once

#include <vector>

#include <tombolo/platform/clustering/latencies.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Measures round trips of empty messages between all pairs, in rounds of disjoint concurrent pairs. Returns the table
/// on rank 0 only. Collective.
Latencies measure_all_latencies(Team& team, const AllOverheads& overheads);

/// Measures round trips between every rank and a few landmarks, all concurrently, and adds the latencies to the table,
/// on rank 0 only; of pairs that are there, the lower one stays. The duration is a few round trips to the farthest
/// landmark and to each of the near ones, for any number of ranks. The landmarks are the same on all ranks. Collective.
void measure_landmark_latencies(Team& team, const AllOverheads& overheads, const std::vector<int>& landmarks,
                                Latencies& latencies);

/// Adds latencies to the table, on rank 0 only, from each rank's measured round trips, as a list of (partner, round
/// trip, error). Collective.
void enter_latencies(const Team& team, const AllOverheads& overheads, const Figures& round_trips, Latencies& latencies);

/// Measures again the pairs of hosts whose latencies are too uncertain for a comparison within `bound`. Few pairs at a
/// time, as few as the time of the stage allows, since ranks that share a machine or a link disturb each other. Two
/// passes, some time apart; the difference between passes enters the error. `latencies` are on rank 0 only. Does
/// nothing on simulated machines, which have no disturbances. Collective.
void refine_latencies(Team& team, const AllOverheads& overheads, Latencies& latencies, double bound);

}  // namespace tombolo::discovery
