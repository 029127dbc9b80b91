#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <tombolo/platform/system/memory.hpp>

namespace tombolo {

namespace {

constexpr Bytes unlimited = std::numeric_limits<Bytes>::max();

std::string contents(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Returns a control group's limit minus its usage; "max" and any other text that is not a number mean no limit.
Bytes left_in_group(const char* limit_path, const char* usage_path) {
  std::istringstream limit_text(contents(limit_path));
  std::istringstream usage_text(contents(usage_path));
  Bytes limit = 0;
  Bytes usage = 0;
  if (!(limit_text >> limit) || !(usage_text >> usage)) return unlimited;
  return std::max<Bytes>(limit - usage, 0);
}

}  // namespace

std::optional<Bytes> bytes_in_status(const std::string& status, const std::string& key) {
  const auto at = status.find(key + ":");
  if (at == std::string::npos) return std::nullopt;
  std::istringstream rest(status.substr(at + key.size() + 1));
  Bytes kibibytes = 0;
  if (!(rest >> kibibytes)) return std::nullopt;
  return kibibytes * 1024;
}

Bytes available_in_meminfo(const std::string& meminfo) {
  return bytes_in_status(meminfo, "MemAvailable").value_or(unlimited);
}

Bytes resident_memory() {
  return bytes_in_status(contents("/proc/self/status"), "VmRSS").value_or(0);
}

Bytes peak_memory() {
  return bytes_in_status(contents("/proc/self/status"), "VmHWM").value_or(0);
}

void return_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 128 << 10);  // as it is at first; a value that is set stays
#endif
}

Bytes available_memory() {
  // Inside a container these two files belong to the container's group, of version 2 or 1.
  return std::min(
      {available_in_meminfo(contents("/proc/meminfo")),
       left_in_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
       left_in_group("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes")});
}

}  // namespace tombolo
