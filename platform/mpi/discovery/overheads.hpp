#pragma once

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// What the processor itself spends on a small message (LogP's o), which is no part of a link's latency.
struct Overheads {
  Picoseconds send = 0;
  Picoseconds receive = 0;
};

/// Measures them on every rank: how long the call takes that sends an empty message, and the one that receives it
/// when it has already come. 0 where there is no second rank. Collective.
Overheads measure_overheads(Team& team);

}  // namespace tombolo::discovery
