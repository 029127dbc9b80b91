#pragma once

#include <mpi.h>

#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/mpi/prepared.hpp>

namespace tombolo {

/// Carries out a schedule that is in_rounds(), none of its messages larger than memory.most(), with blocking calls:
/// they cost less than non-blocking ones, and here there is nothing else to do meanwhile.
void run_in_rounds(const PreparedSchedule& prepared, const Memory& memory, MPI_Comm communicator);

}  // namespace tombolo
