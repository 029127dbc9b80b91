#pragma once

#include <vector>

#include <tombolo/platform/mpi/discovery/network.hpp>

namespace tombolo::discovery {

/// Assembles the platform from the figures of a discovery; `hosts`: the levels inside every host.
Platform assemble(std::vector<Processor> processors, std::vector<Level> hosts, const Network& network);

}  // namespace tombolo::discovery
