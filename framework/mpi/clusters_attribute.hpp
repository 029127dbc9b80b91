#pragma once

#include <mpi.h>

#include <tombolo/platform/description/members.hpp>

namespace tombolo {

/// The clusters of a communicator's ranks, as a communicator attribute for plain MPI code:
///
///     const ClustersAttribute* clusters = nullptr;
///     int found = 0;
///     MPI_Comm_get_attr(comm, clusters_keyval(), &clusters, &found);
///     if (found) MPI_Comm_split(comm, clusters->colors[rank][1], rank, &near);
///
/// `depths` and `colors` equal MPICHX_TOPOLOGY_DEPTHS and MPICHX_TOPOLOGY_COLORS of MPICH-G2 (Karonis, Toonen and
/// Foster 2003); level_colors.hpp defines colors. Valid until the attribute is replaced or deleted; MPI deletes the
/// attribute with the communicator. A duplicate communicator gets an attribute of its own.
struct ClustersAttribute {
  int ranks = 0;
  const int* depths = nullptr;                ///< number of levels of each rank, at least 1
  const int* const* colors = nullptr;         ///< by rank and level; level 0 is the whole platform
  const Level::Kind* const* kinds = nullptr;  ///< kinds of the levels, same order: clusters, hosts, ...
};

/// Returns the attribute's key, one for all communicators of this process. MPI must be running.
int clusters_keyval();

/// Returns the attribute of a communicator, null if none. Local.
const ClustersAttribute* find_clusters(MPI_Comm communicator);

/// Sets the attribute of a communicator with as many ranks and replaces an earlier one. An equal attribute stays, so
/// that pointers to it stay valid. Local.
const ClustersAttribute& set_clusters(MPI_Comm communicator, LevelColors levels);

}  // namespace tombolo
