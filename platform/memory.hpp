#pragma once

#include <optional>
#include <string>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Bytes that programs can still take on this host without swapping, by /proc/meminfo (MemAvailable) and the limits of
/// this process' control groups; the largest Bytes where nothing can be read.
Bytes available_memory();

/// Memory of this process that is there now, and the most that ever was (VmRSS and VmHWM of /proc/self/status); 0 where
/// that cannot be read.
Bytes resident_memory();
Bytes peak_memory();

/// "VmHWM:     3052 kB" in the contents of /proc/self/status, in bytes; nothing where there is none.
std::optional<Bytes> bytes_in_status(const std::string& status, const std::string& key);

/// "MemAvailable:   24016340 kB" in the contents of /proc/meminfo, in bytes; the largest Bytes where there is none.
Bytes available_in_meminfo(const std::string& meminfo);

}  // namespace tombolo
