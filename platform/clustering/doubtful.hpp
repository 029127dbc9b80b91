#pragma once

#include <vector>

#include <tombolo/platform/latencies.hpp>

namespace tombolo::clustering {

/// Pairs of these hosts whose latency is so unsure that it says nothing: its error alone is more than what latencies
/// may differ by and be alike, `bound` as a part and `usual`, what errors are or a processor takes. Beside others
/// that do say something they had better not be heard; but every host keeps half of its pairs, the surer ones. By i *
/// hosts + j, symmetrical.
std::vector<bool> doubtful_pairs(const Latencies& latencies, const std::vector<int>& hosts, double bound,
                                 Picoseconds usual);

}  // namespace tombolo::clustering
