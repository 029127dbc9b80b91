#pragma once

#include <limits>
#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/rate.hpp>

namespace tombolo::discovery {

/// Concurrent large messages as (from, to). Every rank is in at most one flow, except the sender of the first, which
/// may send others, too.
using Flows = std::vector<std::pair<int, int>>;

/// Options of measure_flows.
struct FlowOptions {
  BytesPerSecond enough =
      std::numeric_limits<BytesPerSecond>::max();  ///< a total of at least this rate is measured once only
  /// Target duration of each message, 0: sizes unchanged. With unequal flows, some end while others have hardly begun,
  /// and each looks as if it were alone; hence sizes are adjusted until all take about this long.
  Picoseconds lasting = 0;
};

/// Returns the total rate of all flows, in B/s, on the sender of the first flow; {0, 0} on the others. That sender
/// gives the messages, one per flow; ranks in no flow return at once. Repeats until the total is precise.
Measured measure_flows(Team& team, const Flows& flows, std::vector<LargeMessage> messages, FlowOptions options = {});

}  // namespace tombolo::discovery
