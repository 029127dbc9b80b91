#pragma once

#include <memory>

#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

/// Creates a value on each rank; in a simulation, where all ranks take turns in one process, a single value created by
/// rank 0. A shared value must not hold addresses of constants or functions that are compared, since every simulated
/// rank has its own copy of the program. Collective.
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
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");  // rank 0 keeps its reference until then
  return shared;
}

}  // namespace tombolo
