#pragma once

#include <string>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Returns a platform as a SimGrid 3.32 description: one zone per cluster; in the zone, hosts with a private link in
/// each direction; between clusters, the rate of one message and the total rate. platform_from_simgrid reads the same
/// routes back. An unmeasured rate is written as a rate above any real one, with a comment.
///
/// A host gets a single loopback. A description has no room for functional speeds, overheads and confidence intervals.
/// Throws Error for clusters that are nearer to each other than their own hosts are.
std::string to_simgrid(const Platform& platform);

/// Returns the host file of the description: the host of each rank, one per line.
std::string to_host_file(const Platform& platform);

}  // namespace tombolo
