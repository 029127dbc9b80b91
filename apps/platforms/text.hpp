#pragma once

#include <string>

#include <tombolo/platform.hpp>

namespace tombolo::showing {

/// The platform for people: where it comes from, its levels, its links, its processors, what is not known.
std::string to_text(const Platform& platform);

/// The part of the levels.
std::string levels_text(const Platform& platform);

}  // namespace tombolo::showing
