#pragma once

#include <mpi.h>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Measures message protocols and ports between the ranks of the communicator, which are those of the platform, in
/// about `seconds`: an estimate of the multiport model, stored in the platform in place of an earlier one. Adds what
/// was left out to Origin::not_measured. The same on all ranks. Collective.
void measure_protocols(MPI_Comm communicator, Platform& platform, double seconds);

}  // namespace tombolo
