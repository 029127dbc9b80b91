#pragma once

#include <mpi.h>

#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/plan/prepared.hpp>

namespace tombolo {

/// Executes a schedule that is in_rounds(), with no message above memory.most(), by blocking calls: cheaper than
/// non-blocking ones, and nothing else can progress meanwhile.
void run_in_rounds(const PreparedSchedule& prepared, const Memory& memory, MPI_Comm communicator);

}  // namespace tombolo
