#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <sched.h>

namespace tombolo {

/// The cores of this process's host.
struct Cores {
  int usable = 1;         ///< cores that this process can keep busy; at least 1
  int on_host = 1;        ///< all cores of the host; usable <= on_host
  std::string processor;  ///< one line for reports, such as "AMD EPYC 9454"; the architecture if the model is unknown
  int allowed = 1;        ///< within the cpuset and the affinity of this process; usable <= allowed <= on_host
  double quota = 0;       ///< of CPU time, in cores; 0: no quota
  std::uint64_t quota_group = 0;  ///< the cgroup of the quota, by a number unique on the host
};

/// Finds the cores with hwloc and the control groups. A core is usable if the cpuset and the affinity of the process
/// include one of its hardware threads; the CPU quota of the cgroup limits the number of usable cores. Never fails: an
/// unreadable limit counts as none. Takes about a millisecond (devices, caches and distances are not detected); keep
/// the result.
Cores find_cores();

/// Returns the contents of a file; empty if the file is missing or unreadable.
using ReadFile = std::function<std::string(const std::string& path)>;

/// The CPU time that a cgroup and its descendants may use together.
struct CpuQuota {
  std::int64_t time = 0;    ///< per period; us
  std::int64_t period = 0;  ///< us
  std::string folder = {};  ///< of the cgroup, if known

  double cores() const { return static_cast<double>(time) / static_cast<double>(period); }
};

/// Parses the quota of one cgroup. No value means no limit.
///
///     quota_of_cpu_max("150000 100000\n") = 1.5 cores     cgroup v2: quota and period in microseconds
///     quota_of_cpu_max("max 100000\n")    = none
///     quota_of_cfs("150000\n", "100000\n") = 1.5 cores    cgroup v1: cpu.cfs_quota_us, cpu.cfs_period_us; -1: no limit
///
/// Malformed text means no limit. Source: Linux, Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst.
std::optional<CpuQuota> quota_of_cpu_max(std::string_view cpu_max);
std::optional<CpuQuota> quota_of_cfs(std::string_view quota, std::string_view period);

/// Returns the quota in cores, rounded up: half a core counts as 1.
int whole_cores(const CpuQuota& quota);

/// Returns the smallest quota among the cgroups of a process and all their ancestors, v1 and v2. `self_cgroup`: the
/// contents of /proc/self/cgroup; `read` is called for files below /sys/fs/cgroup.
std::optional<CpuQuota> cgroup_quota(std::string_view self_cgroup, const ReadFile& read);

/// Returns the current quota of this process; none if the quota does not limit its hardware threads.
std::optional<CpuQuota> own_quota();

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
