#include <ctime>

#include <tombolo/framework/mpi/alone.hpp>
#include <tombolo/models/mpi/check.hpp>

namespace tombolo {

void alone_on(MPI_Comm communicator, int rank, const std::function<void()>& work) {
  int mine = 0;
  check_mpi(MPI_Comm_rank(communicator, &mine), "MPI_Comm_rank");
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  if (mine == rank) work();
  MPI_Request done = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(communicator, &done), "MPI_Ibarrier");
  int complete = 0;
  while (true) {
    check_mpi(MPI_Test(&done, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (complete != 0) return;
    constexpr timespec pause{0, 5'000'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace tombolo
