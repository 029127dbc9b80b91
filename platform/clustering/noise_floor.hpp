#pragma once

#include <vector>

#include <tombolo/platform/latencies.hpp>

namespace tombolo::clustering {

/// By how much two short latencies among these hosts may differ because of noise alone: the intervals of two that
/// differ for sure do not meet, so it is twice the error of those that may be, for all one knows, as short as the
/// shortest of a host: the error that three quarters of them keep to, on three quarters of the hosts. Errors of longer
/// ones do not matter: what disturbs a long link says nothing of a short one. In ps; 0 where figures are exact.
Picoseconds noise_floor(const Latencies& latencies, const std::vector<int>& hosts, double bound);

}  // namespace tombolo::clustering
