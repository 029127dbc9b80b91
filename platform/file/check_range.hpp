#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tombolo/platform/description/measured.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

[[noreturn]] inline void refuse_platform(const std::string& name, const std::string& cause) {
  throw Error(name + ": " + cause, std::string(platform_remedy));
}

/// Throws Error for a name with control characters, which could disturb a terminal or break a line of another file.
/// `who`: as for check_range.
template <class Who>
void check_name(const std::string& name, Who who, const std::string& text) {
  if (has_control(text)) refuse_platform(name, who() + " has a control character in its name");
}

/// Throws Error unless low <= value <= high. `who` returns the owner of the value and is called only for the message.
template <class Who>
void check_range(const std::string& name, Who who, std::string_view figure, std::int64_t value, std::int64_t low,
                 std::int64_t high) {
  if (value < low) refuse_platform(name, fmt::format("the {} of {} is {}, less than {}", figure, who(), value, low));
  if (value > high) refuse_platform(name, fmt::format("the {} of {} is {}, more than {}", figure, who(), value, high));
}

/// Checks a measured value, with the lower bound 0, and its error.
template <class Who>
void check_range(const std::string& name, Who who, std::string_view figure, const Measured& measured,
                 std::int64_t high) {
  check_range(name, who, figure, measured.value, 0, high);
  if (measured.error < 0 || measured.error > high) {
    check_range(name, who, fmt::format("error of the {}", figure), measured.error, 0, high);
  }
}

}  // namespace tombolo
