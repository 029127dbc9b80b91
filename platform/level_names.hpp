#pragma once

#include <array>
#include <string>
#include <string_view>

#include <tombolo/platform/level.hpp>

namespace tombolo {

/// The kinds of levels by name, from the outside in, as Level::Kind lists them.
constexpr std::array<std::string_view, 8> level_kind_names = {"group", "cluster", "host", "package",
                                                              "numa",  "cache",   "core", "rank"};

constexpr std::string_view name_of(Level::Kind kind) {
  return level_kind_names[static_cast<std::size_t>(kind)];
}

/// For messages: cluster "c21".
std::string described(const Level& level);

}  // namespace tombolo
