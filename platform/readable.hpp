#pragma once

#include <string>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A time for people, in the unit that fits and four digits: "12.17 ms".
std::string readable(Picoseconds time);

}  // namespace tombolo
