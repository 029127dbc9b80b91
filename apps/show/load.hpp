#pragma once

#include <tombolo/platform/platform.hpp>

#include "show/options.hpp"

namespace tombolo::showing {

/// Reads the file that is asked for, whichever of the two kinds it is. Throws Error.
Platform load(const Options& options);

}  // namespace tombolo::showing
