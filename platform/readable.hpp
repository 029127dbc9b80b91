#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tombolo/units.hpp>

namespace tombolo {

/// Formats a time for people, in a suitable unit with four digits: "12.17 ms".
std::string readable(Picoseconds time);

/// "1 host", "20 hosts"
template <class Number>
std::string counted(Number count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace tombolo
