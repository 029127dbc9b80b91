#pragma once

#include <vector>

#include <mpi.h>

#include <tombolo/units.hpp>

namespace tombolo {

/// Returns the rank in `whole` of each rank of `part`. Local, no communication. Throws Error, the same on all ranks of
/// `part`, if `part` is an intercommunicator, is MPI_COMM_NULL, or has ranks outside `whole`.
std::vector<Rank> members_of(MPI_Comm part, MPI_Comm whole);

}  // namespace tombolo
