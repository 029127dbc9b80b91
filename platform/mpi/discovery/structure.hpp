#pragma once

#include <string>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>

namespace tombolo::discovery {

/// Who is near whom.
struct Structure {
  HostGroup groups;        ///< on all ranks
  Latencies latencies{0};  ///< on rank 0 only
  std::string unmeasured;  ///< what was left out, for people, on rank 0; empty where all pairs were measured
};

/// Measures latencies and partitions the hosts: all pairs, or, where those would take more than the time there is,
/// every host and some landmarks, more of them until every cluster has a few of its own. Collective.
Structure find_structure(Team& team, Overheads mine, bool all_pairs, const StatedLevels& stated, double bound);

/// The groups that rank 0 has, on all ranks. Collective.
HostGroup broadcast(const Team& team, const HostGroup& groups);

}  // namespace tombolo::discovery
