#pragma once

#include <string>
#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// What predictions, bounds and choices on a platform guess because nothing has measured it: rates of hosts and of
/// links between clusters, for one message and for concurrent ones, and message protocols; each as words for people,
/// "the rate of links: north - south". Empty if all is known. Bounds take an unknown rate for infinite: they stay lower
/// bounds, and may be far too low. Throws Error for an invalid section of the platform.
std::vector<std::string> guesses(const Platform& platform);

}  // namespace tombolo
