#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace tombolo {

// Constants shared by the reader and the writer of platform files. Format: docs/platform-file.md.

constexpr std::string_view platform_format = "tombolo platform";
constexpr int platform_version = 1;

/// The platform's own members of the outermost object; all others are sections of other layers.
constexpr std::array<std::string_view, 7> platform_members = {"format", "version", "origin", "processors",
                                                              "hosts",  "levels",  "links"};

inline bool is_platform_member(std::string_view name) {
  return std::find(platform_members.begin(), platform_members.end(), name) != platform_members.end();
}

// Suffixes of the names of figures: "latency" + "_ps", "latency_error" + "_ps".
constexpr auto unit_of_times = "_ps";
constexpr auto unit_of_rates = "_bytes_per_s";

}  // namespace tombolo
