#pragma once

#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Splits clusters whose hosts are behind several shared links although their latencies agree. All hosts exchange large
/// messages in pairs concurrently, which suggests the parts that share a link; messages between these parts, alone and
/// together, confirm them. A split cluster becomes a group of clusters. The groups are the same on all ranks, before
/// and after, except names, which are on rank 0 only. Collective.
void split_by_shared_links(Team& team, HostGroup& groups, double bound);

}  // namespace tombolo::discovery
