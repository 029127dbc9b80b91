#pragma once

#include <vector>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/latencies.hpp>
#include <tombolo/platform/platform.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/rates.hpp>

namespace tombolo::simgrid {

/// Puts a Platform together from what was found; `host_of` are the hosts of the ranks.
Platform assemble(Fabric& fabric, const std::vector<int>& host_of, const Latencies& latencies, const HostGroup& groups,
                  const Rates& rates);

}  // namespace tombolo::simgrid
