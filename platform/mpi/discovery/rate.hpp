#pragma once

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// A large message from here to there and an empty reply: time = fixed + bytes / rate.
struct LargeMessage {
  Measured rate;          ///< B/s
  Picoseconds fixed = 0;  ///< latencies both ways, of a rendezvous too
  Bytes bytes = 0;        ///< that show the rate
};

/// Measures it by two sizes, larger ones until what the bytes take stands out from what is fixed and from noise. The
/// partner answers; the measuring rank ends it.
LargeMessage measure_large_message(Team& team, int partner);

}  // namespace tombolo::discovery
