#pragma once

#include <string>

#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// Checks the level tree as part of check_platform: the nesting of the levels and the ranks of each level. Of the rest
/// of the platform only the number of ranks is used.
void check_levels(const Platform& platform, const std::string& name);

}  // namespace tombolo
