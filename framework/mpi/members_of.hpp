#pragma once

#include <vector>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Which rank of `whole` each rank of `part` is. Local: no message is sent. Throws Error, the same on all ranks of
/// `part`, where it is an intercommunicator or has ranks that `whole` has not, and where it is null.
std::vector<Rank> members_of(MPI_Comm part, MPI_Comm whole);

}  // namespace tombolo
