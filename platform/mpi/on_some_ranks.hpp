#pragma once

#include <algorithm>
#include <functional>
#include <span>

#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Runs `work` on the given ranks of `all`, with a communicator of these ranks that is freed afterwards. The other
/// ranks sleep until the work is done and leave the cores to the working ranks. Collective over `all`.
inline void on_some_ranks(MPI_Comm all, std::span<const Rank> ranks, const std::function<void(MPI_Comm)>& work) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  const bool takes_part = std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  MPI_Comm some = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(all, takes_part ? 0 : MPI_UNDEFINED, rank, &some), "MPI_Comm_split");
  if (takes_part) {
    work(some);
    check_mpi(MPI_Comm_free(&some), "MPI_Comm_free");
  }
  MPI_Request done = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(all, &done), "MPI_Ibarrier");
  machine::wait_asleep(done);
}

}  // namespace tombolo
