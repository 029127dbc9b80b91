#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Concurrent large messages as (from, to). Every rank is in at most one flow, except the sender of the first, which
/// may send others, too.
using Flows = std::vector<std::pair<int, int>>;

/// The most concurrent flows: enough hosts to saturate any link that hosts can saturate.
constexpr std::size_t most_flows = 32;
/// The least size that is chosen for a message of several.
constexpr Bytes least_of_flow = Bytes{64} * 1024;

/// Options of measure_flows.
struct FlowOptions {
  BytesPerSecond enough =
      std::numeric_limits<BytesPerSecond>::max();  ///< a total of at least this rate is measured once only
  /// Target duration of each message, 0: sizes unchanged. With unequal flows, some end while others have hardly begun,
  /// and each looks as if it were alone; hence sizes are adjusted until all take about this long.
  Picoseconds lasting = 0;
};

/// Returns the total rate of all flows, in B/s, on the sender of the first flow; {0, 0} on the others. That sender
/// gives the messages, one per flow; ranks in no flow return at once. Repeats until the total is precise; a quick team
/// returns the most of three runs, or of one where times have no noise.
Measured measure_flows(Team& team, const Flows& flows, std::vector<LargeMessage> messages, FlowOptions options = {});

/// Gives each message the bytes that take so long at its rate, between least_of_flow and `at_most`.
void last(std::vector<LargeMessage>& messages, Picoseconds time, Bytes at_most);

/// Returns a message duration during most of which all messages are in transit, although their starts and ends differ
/// by latencies: so many times the fixed part of the longest.
Picoseconds long_enough(const std::vector<LargeMessage>& messages, Picoseconds latencies);

/// What one rank asks another to measure: a message of this size and fixed part of its time; 0 bytes: nothing.
struct RateRequest {
  Bytes bytes = 0;
  Picoseconds fixed = 0;
  BytesPerSecond enough = std::numeric_limits<BytesPerSecond>::max();  ///< this rate need not be measured again
};

/// Returns the rate of a message that took `time`; only a lower bound of it where noise hides the time of the bytes.
BytesPerSecond rate_of(const RateRequest& request, Picoseconds time);

}  // namespace tombolo::discovery
