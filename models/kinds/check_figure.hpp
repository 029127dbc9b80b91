#pragma once

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>

namespace tombolo {

/// Throws Error "a latency of -5 ps; it is 0 or more".
inline void check_not_negative(std::string_view name, std::int64_t value, std::string_view unit) {
  if (value < 0) throw Error(fmt::format("a {} of {} {}", name, value, unit), "it is 0 or more");
}

/// Throws Error "a memory rate of 0 B/s; it is positive".
inline void check_positive(std::string_view name, std::int64_t value, std::string_view unit) {
  if (value <= 0) throw Error(fmt::format("a {} of {} {}", name, value, unit), "it is positive");
}

}  // namespace tombolo
