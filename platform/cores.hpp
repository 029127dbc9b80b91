#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tombolo {

/// The cores of the host that this process runs on.
struct Cores {
  int usable = 1;         ///< that this process may really keep busy; at least 1
  int on_host = 1;        ///< in the host, whoever may use them; usable <= on_host
  std::string processor;  ///< one line for reports, such as "AMD EPYC 9454"; the architecture if the model is unknown
  int allowed = 1;        ///< that cpuset and affinity leave to this process; usable <= allowed <= on_host
  double quota = 0;       ///< of CPU time, in cores; 0: no quota
  std::uint64_t quota_group = 0;  ///< the cgroup that has it, a number of its own on the host
};

/// Asks hwloc and the control groups. Usable are the cores of which the process may use a hardware thread, by its
/// cpuset and by the affinity it is bound with, but no more than its cgroup's CPU quota can keep busy. Never fails:
/// what cannot be read sets no limit. Takes about a millisecond (devices, caches and distances are not looked for);
/// keep the result.
Cores find_cores();

/// The contents of a file; empty if there is none or it cannot be read.
using ReadFile = std::function<std::string(const std::string& path)>;

/// The CPU time that a cgroup and those below it may use together.
struct CpuQuota {
  std::int64_t time = 0;    ///< in each period; us
  std::int64_t period = 0;  ///< us
  std::string folder = {};  ///< of the cgroup, as far as that is known

  double cores() const { return static_cast<double>(time) / static_cast<double>(period); }
};

/// The quota that one cgroup states. No value: no limit.
///
///     quota_of_cpu_max("150000 100000\n") = 1.5 cores    cgroup v2: quota and period in microseconds
///     quota_of_cpu_max("max 100000\n")    = none
///     quota_of_cfs("150000\n", "100000\n") = 1.5 cores   cgroup v1: cpu.cfs_quota_us and cpu.cfs_period_us; -1 is no
///     limit
///
/// Whatever is malformed is no limit. Source: Linux, Documentation/admin-guide/cgroup-v2.rst and
/// scheduler/sched-bwc.rst.
std::optional<CpuQuota> quota_of_cpu_max(std::string_view cpu_max);
std::optional<CpuQuota> quota_of_cfs(std::string_view quota, std::string_view period);

/// Its cores, rounded up: half a core's worth counts as 1.
int whole_cores(const CpuQuota& quota);

/// The least quota of a process' cgroups and of all those above them, v1 and v2. `self_cgroup` is the content of
/// /proc/self/cgroup; `read` is asked for files below /sys/fs/cgroup.
std::optional<CpuQuota> cgroup_quota(std::string_view self_cgroup, const ReadFile& read);

/// That of this process, as it is now; none where it allows as much as its hardware threads can do.
std::optional<CpuQuota> own_quota();

}  // namespace tombolo
