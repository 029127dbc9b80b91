#include <tombolo/framework/mpi/alone.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

void alone_on(MPI_Comm communicator, int rank, const std::function<void()>& work) {
  int mine = 0;
  check_mpi(MPI_Comm_rank(communicator, &mine), "MPI_Comm_rank");
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  if (mine == rank) work();
  MPI_Request done = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(communicator, &done), "MPI_Ibarrier");
  machine::wait_asleep(done);
}

}  // namespace tombolo
