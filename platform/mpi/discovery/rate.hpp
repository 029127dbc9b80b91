#pragma once

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// The time of a large message with an empty reply: time = fixed + bytes / rate.
struct LargeMessage {
  Measured rate;          ///< B/s
  Picoseconds fixed = 0;  ///< latencies of both directions, including a rendezvous
  Bytes bytes = 0;        ///< large enough to show the rate
};

/// Measures a large message with two sizes; the larger one grows until the transfer time exceeds the fixed time and the
/// noise clearly. The partner answers; the measuring rank ends it.
LargeMessage measure_large_message(Team& team, int partner);

}  // namespace tombolo::discovery
