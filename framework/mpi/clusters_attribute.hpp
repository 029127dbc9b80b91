#pragma once

#include <mpi.h>

#include <tombolo/platform/level_colors.hpp>

namespace tombolo {

/// Who is near whom among the ranks of a communicator, as an attribute of it, for plain MPI code:
///
///     const ClustersAttribute* clusters = nullptr;
///     int found = 0;
///     MPI_Comm_get_attr(comm, clusters_keyval(), &clusters, &found);
///     if (found) MPI_Comm_split(comm, clusters->colors[rank][1], rank, &near);
///
/// `depths` and `colors` are what MPICH-G2 gives as MPICHX_TOPOLOGY_DEPTHS and MPICHX_TOPOLOGY_COLORS (Karonis, Toonen
/// and Foster 2003); level_colors.hpp says what colors mean. Good until the attribute is replaced or deleted; MPI
/// deletes it with the communicator, and gives duplicates one of their own.
struct ClustersAttribute {
  int ranks = 0;
  const int* depths = nullptr;                ///< how many levels a rank is in, by rank; one at least
  const int* const* colors = nullptr;         ///< by rank and level, from the whole platform, 0, inwards
  const Level::Kind* const* kinds = nullptr;  ///< what the levels are, in the same order: clusters, hosts, ...
};

/// The attribute's key, one for all communicators of this process. MPI must be running.
int clusters_keyval();

/// The attribute of a communicator; null where it has none. Local.
const ClustersAttribute* find_clusters(MPI_Comm communicator);

/// Gives it to a communicator of as many ranks, in place of another one. Where it has the same already, that stays, and
/// with it what has been read of it. Local.
const ClustersAttribute& set_clusters(MPI_Comm communicator, LevelColors levels);

}  // namespace tombolo
