#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/measured.hpp>
#include <tombolo/platform/platform_check.hpp>

namespace tombolo {

[[noreturn]] inline void refuse_platform(const std::string& name, const std::string& cause) {
  throw Error(name + ": " + cause, std::string(platform_remedy));
}

/// Throws Error unless low <= value <= high. `who` returns whose figure it is, asked only then.
template <class Who>
void check_range(const std::string& name, Who who, std::string_view figure, std::int64_t value, std::int64_t low,
                 std::int64_t high) {
  if (value < low) refuse_platform(name, fmt::format("the {} of {} is {}, less than {}", figure, who(), value, low));
  if (value > high) refuse_platform(name, fmt::format("the {} of {} is {}, more than {}", figure, who(), value, high));
}

/// That of a measured figure, from 0 on, and of its error.
template <class Who>
void check_range(const std::string& name, Who who, std::string_view figure, const Measured& measured,
                 std::int64_t high) {
  check_range(name, who, figure, measured.value, 0, high);
  if (measured.error < 0 || measured.error > high) {
    check_range(name, who, fmt::format("error of the {}", figure), measured.error, 0, high);
  }
}

}  // namespace tombolo
