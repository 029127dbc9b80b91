#pragma once

#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Rates in B/s.
struct Ports {
  std::vector<Measured> hosts;      ///< by host; {0, 0} for the only one of a cluster
  std::vector<Measured> backbones;  ///< by cluster: of all messages inside; {0, 0} where only hosts are the limit
};

/// Measures the maximum rate of one message to or from each host, with partners in its own cluster, in disjoint pairs,
/// in all clusters concurrently. Then pairs alone, unless the team is quick and times have noise: where they get more
/// by over `bound`, all share a backbone, whose rate is that of all pairs together, and hosts are measured again, a few
/// pairs at a time. `load`: as of measure_load(), on rank 0; of the pairs together those that get the most under load.
/// Collective. On rank 0 only.
Ports measure_ports(Team& team, const std::vector<std::vector<int>>& clusters, const std::vector<LoadedPair>& load,
                    double bound);

}  // namespace tombolo::discovery
