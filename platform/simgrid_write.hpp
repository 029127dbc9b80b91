#pragma once

#include <string>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// A platform as a description that SimGrid 3.32 reads: a zone for each cluster, in it the hosts with a link of their
/// own in each direction, and between clusters what one message and all together get. Reading it by
/// platform_from_simgrid gives the same routes. What was not measured is written as more than it can be, and a comment
/// says so.
///
/// Inside a host there is but one loopback, and functional speeds, overheads and confidence intervals have no place in
/// a description. Throws Error for clusters that are nearer to each other than their own hosts are.
std::string to_simgrid(const Platform& platform);

/// The host file that goes with it: the host of each rank, one on a line.
std::string to_host_file(const Platform& platform);

}  // namespace tombolo
