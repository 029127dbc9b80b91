#pragma once

#include <vector>

#include <tombolo/platform/mpi/discovery/network.hpp>

namespace tombolo::discovery {

/// The platform that the figures of a discovery describe; `hosts`: the levels inside every host.
Platform assemble(std::vector<Processor> processors, std::vector<Level> hosts, const Network& network);

}  // namespace tombolo::discovery
