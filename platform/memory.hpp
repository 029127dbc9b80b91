#pragma once

#include <string>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Bytes that programs can still take on this host without swapping, by /proc/meminfo (MemAvailable) and the limits of
/// this process' control groups; the largest Bytes where nothing can be read.
Bytes available_memory();

/// "MemAvailable:   24016340 kB" in the contents of /proc/meminfo, in bytes; the largest Bytes where there is none.
Bytes available_in_meminfo(const std::string& meminfo);

}  // namespace tombolo
