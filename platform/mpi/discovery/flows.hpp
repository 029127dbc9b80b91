#pragma once

#include <limits>
#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/rate.hpp>

namespace tombolo::discovery {

/// Large messages that are on their way at the same time: (from, to), every rank in one of them at most, but for the
/// sender of the first, which may send others too.
using Flows = std::vector<std::pair<int, int>>;

/// How flows are measured.
struct FlowOptions {
  BytesPerSecond enough = std::numeric_limits<BytesPerSecond>::max();  ///< measured once if all together get that
  /// Of flows that are unlike, some are through while others have hardly begun, and each looks as if it had been alone.
  /// Messages are then made longer or shorter until all take about this long. 0: sent as they are.
  Picoseconds lasting = 0;
};

/// Measures what rate all flows together get, in B/s; on the rank that the first flow comes from, nothing on others.
/// That rank says what messages to send, one per flow; ranks that are in no flow return at once. Measured until
/// the total is precise.
Measured measure_flows(Team& team, const Flows& flows, std::vector<LargeMessage> messages, FlowOptions options = {});

}  // namespace tombolo::discovery
