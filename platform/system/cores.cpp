#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>
#include <sys/stat.h>

#include <tombolo/platform/system/cores.hpp>

namespace tombolo {

namespace {

/// Parses the numbers at the start of a line; stops at other text.
std::vector<std::int64_t> numbers(std::string_view text) {
  std::vector<std::int64_t> found;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::int64_t value = 0; at != end;) {
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) break;
    found.push_back(value);
    at = std::find_if(next, end, [](char c) { return c != ' '; });
  }
  return found;
}

std::optional<CpuQuota> quota_of(std::int64_t time, std::int64_t period) {
  if (time <= 0 || period <= 0) return std::nullopt;
  return CpuQuota{.time = time, .period = period};
}

void keep_least(std::optional<CpuQuota>& least, std::optional<CpuQuota> quota, const std::string& folder) {
  if (!quota || (least && least->cores() <= quota->cores())) return;
  least = std::move(quota);
  least->folder = folder;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;
using Cpuset = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

/// Loads packages and cores only: caches, memories, devices and their distances take most of the loading time.
Topology load_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return {nullptr, hwloc_topology_destroy};
  Topology owner(topology, hwloc_topology_destroy);
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_NO_DISTANCES |
                                         HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS | HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
  if (hwloc_topology_load(topology) != 0) owner.reset();
  return owner;
}

/// Returns the hardware threads in the cpuset and, if the process is bound, in its binding.
Cpuset usable_threads(hwloc_topology_t topology) {
  Cpuset usable(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology)), hwloc_bitmap_free);
  const Cpuset bound(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_PROCESS) == 0 && !hwloc_bitmap_iszero(bound.get())) {
    hwloc_bitmap_and(usable.get(), usable.get(), bound.get());
  }
  return usable;
}

std::string processor_of(hwloc_topology_t topology) {
  for (hwloc_obj_t object : {hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0), hwloc_get_root_obj(topology)}) {
    for (const char* key : {"CPUModel", "CPUVendor", "Architecture"}) {
      const char* value = object ? hwloc_obj_get_info_by_name(object, key) : nullptr;
      if (value && *value) return value;
    }
  }
  return "unknown processor";
}

}  // namespace

std::optional<CpuQuota> quota_of_cpu_max(std::string_view cpu_max) {
  const auto values = numbers(cpu_max);
  return values.size() < 2 ? std::nullopt : quota_of(values[0], values[1]);
}

std::optional<CpuQuota> quota_of_cfs(std::string_view quota, std::string_view period) {
  const auto quotas = numbers(quota);
  const auto periods = numbers(period);
  return quotas.empty() || periods.empty() ? std::nullopt : quota_of(quotas[0], periods[0]);
}

int whole_cores(const CpuQuota& quota) {
  const std::int64_t cores = quota.time / quota.period + (quota.time % quota.period != 0 ? 1 : 0);
  return static_cast<int>(std::min<std::int64_t>(cores, std::numeric_limits<int>::max()));
}

std::optional<CpuQuota> cgroup_quota(std::string_view self_cgroup, const ReadFile& read) {
  std::optional<CpuQuota> least;
  while (!self_cgroup.empty()) {  // lines of ID:CONTROLLERS:PATH; v2 has no controllers
    const std::string_view line = self_cgroup.substr(0, self_cgroup.find('\n'));
    self_cgroup.remove_prefix(std::min(self_cgroup.size(), line.size() + 1));
    const auto colon = line.find(':');
    const auto second = colon == line.npos ? line.npos : line.find(':', colon + 1);
    if (second == line.npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(colon + 1, second - colon - 1));
    if (controllers != ",," && controllers.find(",cpu,") == controllers.npos) continue;
    // In a container the path may be the host's, of which only the root is mounted; the upward search ends at the root.
    for (std::string path(line.substr(second + 1));; path.resize(path.rfind('/'))) {
      while (!path.empty() && path.back() == '/') path.pop_back();
      for (const char* mount :
           {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/cpu"}) {
        const std::string folder = mount + path;
        keep_least(least, quota_of_cpu_max(read(folder + "/cpu.max")), folder);
        keep_least(least, quota_of_cfs(read(folder + "/cpu.cfs_quota_us"), read(folder + "/cpu.cfs_period_us")),
                   folder);
      }
      if (path.find('/') == path.npos) break;
    }
  }
  return least;
}

std::optional<CpuQuota> own_quota() {
  std::optional<CpuQuota> quota = cgroup_quota(read_file("/proc/self/cgroup"), read_file);
  cpu_set_t threads;
  if (quota && sched_getaffinity(0, sizeof threads, &threads) == 0 && quota->cores() >= CPU_COUNT(&threads)) return {};
  return quota;
}

Cores find_cores() {
  Cores cores;
  const Topology topology = load_topology();
  if (topology) {
    const Cpuset threads = usable_threads(topology.get());
    // Some virtual machines do not report which hardware threads share a core; then each thread counts as a core.
    const bool known = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) > 0;
    const hwloc_obj_type_t type = known ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    int usable = 0;
    for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology.get(), type, core));) {
      usable += hwloc_bitmap_intersects(core->cpuset, threads.get());
    }
    cores.on_host = std::max(1, hwloc_get_nbobjs_by_type(topology.get(), type));
    cores.usable = std::max(1, usable);
    cores.processor = processor_of(topology.get());
  }
  cores.allowed = cores.usable;
  if (const auto quota = own_quota()) {
    cores.usable = std::clamp(whole_cores(*quota), 1, cores.allowed);
    cores.quota = quota->cores();
    struct stat folder {};
    if (::stat(quota->folder.c_str(), &folder) == 0) cores.quota_group = folder.st_ino;
  }
  return cores;
}

namespace {

bool meet(const cpu_set_t& a, const cpu_set_t& b) {
  cpu_set_t common;
  CPU_AND(&common, &a, &b);
  return CPU_COUNT(&common) > 0;
}

}  // namespace

int ranks_sharing(std::span<const CoreClaim> on_host, std::size_t rank) {
  const CoreClaim& mine = on_host[rank];
  std::map<std::uint64_t, double> quotas;  // of the cgroups on this rank's hardware threads
  int near = 0;
  int in_group = 0;
  bool all_limited = true;
  for (const CoreClaim& other : on_host) {
    if (!meet(mine.threads, other.threads)) continue;
    ++near;
    in_group += other.quota_group == mine.quota_group ? 1 : 0;
    quotas[other.quota_group] = other.quota;
    all_limited = all_limited && other.quota > 0 && other.quota_group != 0;
  }
  double together = 0;
  for (const auto& [group, quota] : quotas) together += quota;
  // The tolerance covers rounding, since quotas in cores are fractions.
  const bool enough = all_limited && together <= mine.cores + 1e-6;
  return enough ? in_group : near;
}

}  // namespace tombolo
