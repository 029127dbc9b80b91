#pragma once

#include <functional>

#include <mpi.h>

namespace tombolo {

/// Lets one rank work while all others sleep: ranks that wait in MPI poll, and would take the cores that `work` is to
/// have. Collective; an exception that `work` throws leaves the others asleep, so it must catch its own.
void alone_on(MPI_Comm communicator, int rank, const std::function<void()>& work);

}  // namespace tombolo
