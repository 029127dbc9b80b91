#pragma once

#include <memory>

#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

/// Makes a value on each rank; in a simulation, where all ranks are in one process and take turns, one for all, made by
/// rank 0. What ranks share must hold no address of a constant or function of theirs that others compare: every
/// simulated rank has a program of its own. Collective.
template <class T, class Make>
std::shared_ptr<T> shared_in_process(MPI_Comm communicator, Make make) {
  if (!machine::simulated()) return make();
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  std::shared_ptr<T> shared;
  if (rank == 0) shared = make();
  const void* from = &shared;
  check_mpi(MPI_Bcast(&from, sizeof from, MPI_BYTE, 0, communicator), "MPI_Bcast");
  if (rank != 0) shared = *static_cast<const std::shared_ptr<T>*>(from);
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");  // until then rank 0 keeps its own
  return shared;
}

}  // namespace tombolo
