#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sched.h>

namespace tombolo {

/// The share of a host that one rank may use.
struct CoreClaim {
  cpu_set_t threads = {};         ///< hardware threads available to the rank
  int cores = 1;                  ///< the number of cores of these hardware threads
  double quota = 0;               ///< of CPU time, in cores; 0: no quota
  std::uint64_t quota_group = 0;  ///< the cgroup of the quota, by a number unique on the host
};

/// Returns the number of ranks that share this rank's cores, itself included: the ranks of its cgroup if all ranks on
/// these hardware threads have quotas and the quotas together fit into its cores; else all ranks that may run on its
/// hardware threads.
int ranks_sharing(std::span<const CoreClaim> on_host, std::size_t rank);

}  // namespace tombolo
