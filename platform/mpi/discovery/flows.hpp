#pragma once

#include <limits>
#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/rate.hpp>

namespace tombolo::discovery {

/// Large messages that are on their way at the same time: (from, to), every rank in one of them at most.
using Flows = std::vector<std::pair<int, int>>;

/// Measures what rate each flow gets beside the others, in B/s; on the rank that the first flow comes from, nothing on
/// others. That rank says what messages to send, one per flow; ranks that are in no flow return at once. Measured until
/// the total is precise, or once, if that is `enough`.
std::vector<Measured> measure_flows(Team& team, const Flows& flows, const std::vector<LargeMessage>& messages,
                                    BytesPerSecond enough = std::numeric_limits<BytesPerSecond>::max());

}  // namespace tombolo::discovery
