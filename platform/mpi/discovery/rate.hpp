#pragma once

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// A large message from here to there and an empty reply: time = fixed + bytes / rate.
struct LargeMessage {
  Measured rate;          ///< B/s
  Picoseconds fixed = 0;  ///< latencies both ways, of a rendezvous too
  Bytes bytes = 0;        ///< that take long enough for the rate to matter more than what is fixed
};

/// Measures it by two sizes, larger ones where the latency is long. The partner answers; the measuring rank ends it.
LargeMessage measure_large_message(Team& team, int partner);

}  // namespace tombolo::discovery
