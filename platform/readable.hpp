#pragma once

#include <string>

#include <tombolo/units.hpp>

namespace tombolo {

/// Formats a time for people, in a suitable unit with four digits: "12.17 ms".
std::string readable(Picoseconds time);

}  // namespace tombolo
