#pragma once

#include <tombolo/platform/simgrid/element.hpp>
#include <tombolo/platform/simgrid/network.hpp>

namespace tombolo::simgrid {

/// Reads a description. Throws Error for what is malformed, contradicts itself or cannot be planned for.
Network read_network(const Source& source);

}  // namespace tombolo::simgrid
