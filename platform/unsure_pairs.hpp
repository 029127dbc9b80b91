#pragma once

#include <utility>
#include <vector>

#include <tombolo/platform/latencies.hpp>

namespace tombolo {

/// Two hosts, the lower number first.
using HostPair = std::pair<int, int>;

/// The pairs whose latency is not known well enough to say whether it agrees with another within `bound`: whose error
/// is more than a quarter of what may differ, `bound` as a part of the latency and a processor's overhead.
std::vector<HostPair> unsure_pairs(const Latencies& latencies, double bound);

/// How many of these pairs have to be measured at the same time if all are to be in `time`: as few as possible, as
/// those at the same time may be in each other's way. A pair takes `repetitions` round trips, and `meeting` until both
/// are there.
int least_lanes(const Latencies& latencies, const std::vector<HostPair>& pairs, int repetitions, Picoseconds meeting,
                Picoseconds time);

}  // namespace tombolo
