#pragma once

#include <optional>
#include <string>

#include <tombolo/units.hpp>

namespace tombolo {

/// Returns the memory, in bytes, that programs can still allocate on this host without swapping, from /proc/meminfo
/// (MemAvailable) and the limits of this process's control groups; the largest Bytes if neither is readable.
Bytes available_memory();

/// Return the current and the peak memory of this process (VmRSS and VmHWM of /proc/self/status), in bytes; 0 if not
/// readable.
Bytes resident_memory();
Bytes peak_memory();

/// Makes freed memory of 128 KiB or more return to the system at once, for runs that keep to a limit. By default glibc
/// soon keeps blocks of up to 32 MiB, between which room is lost: up to as much again as is in use. No effect with
/// other C libraries.
void return_freed_memory();

/// Returns the value of a line such as "VmHWM:     3052 kB" of /proc/self/status, in bytes; none if the key is missing.
std::optional<Bytes> bytes_in_status(const std::string& status, const std::string& key);

/// Returns the value of "MemAvailable:   24016340 kB" of /proc/meminfo, in bytes; the largest Bytes if the line is
/// missing.
Bytes available_in_meminfo(const std::string& meminfo);

}  // namespace tombolo
