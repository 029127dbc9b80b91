#pragma once

#include <vector>

#include <tombolo/platform/latencies.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>

namespace tombolo::discovery {

/// Round trips of empty messages between all pairs, in rounds of disjoint pairs at the same time. The table is filled
/// on rank 0 only. Collective.
Latencies measure_all_latencies(Team& team, Overheads mine);

/// The same between every rank and some landmarks, all at the same time: adds to the table, on rank 0 only. Takes
/// about as long as a few round trips per landmark, however many ranks there are. The landmarks are the same on all
/// ranks. Collective.
void measure_landmark_latencies(Team& team, Overheads mine, const std::vector<int>& landmarks, Latencies& latencies);

/// Every rank has measured some round trips, as a list of (partner, round trip, its error), and what it takes itself to
/// send and to receive: adds the latencies to the table, on rank 0 only. Collective.
void enter_latencies(const Team& team, Overheads mine, const Figures& round_trips, Latencies& latencies);

}  // namespace tombolo::discovery
