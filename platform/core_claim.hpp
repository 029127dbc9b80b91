#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sched.h>

namespace tombolo {

/// What one rank may use of its host.
struct CoreClaim {
  cpu_set_t threads = {};         ///< hardware threads that it may run on
  int cores = 1;                  ///< of which they are
  double quota = 0;               ///< of CPU time, in cores; 0: no quota
  std::uint64_t quota_group = 0;  ///< the cgroup that has it, a number of its own on the host
};

/// With how many ranks of its host this one has to share what it may use, itself included: those of its cgroup where
/// that has a quota and all quotas on the host can be had at the same time; else those that may run where it runs.
int ranks_sharing(std::span<const CoreClaim> on_host, std::size_t rank);

}  // namespace tombolo
