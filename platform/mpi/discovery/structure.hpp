#pragma once

#include <string>

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/mpi/discovery/overheads.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// The partition of the hosts and the latencies.
struct Structure {
  HostGroup groups;        ///< on all ranks
  Latencies latencies{0};  ///< on rank 0 only
  std::string unmeasured;  ///< omitted measurements, for people, on rank 0; empty if all pairs were measured
};

/// Measures latencies and partitions the hosts. Measures all pairs, or every host with a few landmarks if all pairs
/// would take too long; landmarks are added until every cluster has a few. Collective.
Structure find_structure(Team& team, const AllOverheads& overheads, bool all_pairs, const StatedLevels& stated,
                         double bound);

/// Returns the groups of rank 0 on all ranks. Collective.
HostGroup broadcast(const Team& team, const HostGroup& groups);

/// Splits clusters whose hosts are behind several shared links although their latencies agree. All hosts exchange large
/// messages in pairs concurrently, which suggests the parts that share a link; messages between these parts, alone and
/// together, confirm them. A split cluster becomes a group of clusters. The groups are the same on all ranks, before
/// and after, except names, which are on rank 0 only. Returns the rates of the pairs, on rank 0 only. Collective.
std::vector<LoadedPair> split_by_shared_links(Team& team, HostGroup& groups, double bound);

}  // namespace tombolo::discovery
