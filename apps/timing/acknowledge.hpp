#pragma once

#include <mpi.h>

namespace tombolo::timing {

/// A barrier in which everybody tells rank 0, which then tells one after the other: what Karonis et al. (2000, figure
/// 7) put between broadcasts, so that none overlaps the one before. Collective.
void acknowledge(MPI_Comm communicator);

}  // namespace tombolo::timing
