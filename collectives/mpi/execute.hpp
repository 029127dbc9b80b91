#pragma once

#include <mpi.h>

#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// Carries out this rank's schedule with non-blocking point-to-point calls, each step as soon as the steps before it
/// are complete and its lane lets it; returns when all are complete. The communicator must carry nothing else: messages
/// are told apart by their order between two ranks alone. Throws Error when MPI reports one; then messages may be under
/// way and other ranks waiting, and nothing but ending the run (MPI_Abort) helps.
void execute(const Schedule& schedule, Memory& memory, Scratch& scratch, MPI_Comm communicator);

}  // namespace tombolo
