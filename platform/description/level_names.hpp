#pragma once

#include <array>
#include <string>
#include <string_view>

#include <tombolo/platform/description/level.hpp>

namespace tombolo {

/// The names of the kinds of levels, in the order of Level::Kind.
constexpr std::array<std::string_view, 8> level_kind_names = {"group", "cluster", "host", "package",
                                                              "numa",  "cache",   "core", "rank"};

constexpr std::string_view name_of(Level::Kind kind) {
  return level_kind_names[static_cast<std::size_t>(kind)];
}

/// The level's kind and name, for messages: cluster "c21".
std::string described(const Level& level);

}  // namespace tombolo
