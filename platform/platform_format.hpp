#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace tombolo {

// What the two that read and write platform files must agree on. docs/platform-file.md describes the format.

constexpr std::string_view platform_format = "tombolo platform";
constexpr int platform_version = 1;

/// The members of the outermost object that are the platform's own; all others are sections of other layers.
constexpr std::array<std::string_view, 7> platform_members = {"format", "version", "origin", "processors",
                                                              "hosts",  "levels",  "links"};

inline bool is_platform_member(std::string_view name) {
  return std::find(platform_members.begin(), platform_members.end(), name) != platform_members.end();
}

// Ends of the names of figures: "latency" + "_ps", "latency_error" + "_ps".
constexpr auto unit_of_times = "_ps";
constexpr auto unit_of_rates = "_bytes_per_s";

}  // namespace tombolo
