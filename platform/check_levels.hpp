#pragma once

#include <string>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// The part of check_platform that is about the tree of levels: which levels stand in which, and whose ranks they hold.
/// What it knows of the platform is the number of ranks.
void check_levels(const Platform& platform, const std::string& name);

}  // namespace tombolo
