#pragma once

#include <vector>

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// The processor time of a small message (LogP's o), which is not part of a link's latency.
struct Overheads {
  Picoseconds send = 0;
  Picoseconds receive = 0;
};

struct AllOverheads {
  std::vector<Overheads> of_hosts;  ///< on rank 0 only
  Picoseconds longest = 0;          ///< the largest sum of both, on all ranks
};

/// Measures the overheads on every rank: the duration of a call that sends an empty message, and of one that receives a
/// message already there. 0 if there is no second rank. Collective.
AllOverheads measure_overheads(Team& team);

}  // namespace tombolo::discovery
