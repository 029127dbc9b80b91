#pragma once

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Splits clusters whose hosts sit behind several links that they share, although their latencies agree: all hosts
/// exchange large messages in pairs at the same time, which shows who may share a link, and messages between such parts
/// of a cluster, alone and together, show whether they do. A cluster that is split becomes a group of clusters. The
/// groups are the same on all ranks, before and after, but for names, which rank 0 has. Collective.
void split_by_shared_links(Team& team, HostGroup& groups, double bound);

}  // namespace tombolo::discovery
