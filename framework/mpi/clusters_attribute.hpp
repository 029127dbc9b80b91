#pragma once

#include <mpi.h>

#include <tombolo/platform/description/members.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// Sets the attribute of a communicator with as many ranks and replaces an earlier one. An equal attribute stays, so
/// that pointers to it stay valid. Local.
const ClustersAttribute& set_clusters(MPI_Comm communicator, LevelColors levels);

}  // namespace tombolo
