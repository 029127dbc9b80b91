#pragma once

#include <mpi.h>

#include <tombolo/models/hockney.hpp>

namespace tombolo {

/// Estimates one homogeneous Hockney model for a communicator: round trips of 1 B and of 1 MiB over disjoint pairs of
/// ranks at the same time, ranks 1, 2, 4, ... apart and neighbours, and copies in memory; medians over all pairs. The
/// integers that come out are computed on rank 0 and broadcast: every rank has the same. Collective; some milliseconds
/// where every rank has a core.
Hockney measure_hockney(MPI_Comm communicator);

}  // namespace tombolo
