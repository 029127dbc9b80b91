#pragma once

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
};

/// Asks hwloc and the control groups. Usable are the cores of which the process may use a hardware thread, by its
/// cpuset and by the affinity it is bound with, but no more than its cgroup's CPU quota can keep busy. Never fails:
/// what cannot be read sets no limit. Takes about a millisecond (devices, caches and distances are not looked for);
/// keep the result.
Cores find_cores();

/// The contents of a file; empty if there is none or it cannot be read.
using ReadFile = std::function<std::string(const std::string& path)>;

/// The CPU time that one cgroup may use, in cores, rounded up: half a core's worth counts as 1. No value: no limit.
///
///     quota_of_cpu_max("150000 100000\n") = 2      cgroup v2: quota and period in microseconds
///     quota_of_cpu_max("max 100000\n")    = none
///     quota_of_cfs("150000\n", "100000\n") = 2     cgroup v1: cpu.cfs_quota_us and cpu.cfs_period_us; -1 is no limit
///
/// Whatever is malformed is no limit. Source: Linux, Documentation/admin-guide/cgroup-v2.rst and
/// scheduler/sched-bwc.rst.
std::optional<int> quota_of_cpu_max(std::string_view cpu_max);
std::optional<int> quota_of_cfs(std::string_view quota, std::string_view period);

/// The least quota of a process' cgroups and of all those above them, v1 and v2, in cores. `self_cgroup` is the content
/// of /proc/self/cgroup; `read` is asked for files below /sys/fs/cgroup.
std::optional<int> cgroup_quota(std::string_view self_cgroup, const ReadFile& read);

}  // namespace tombolo
