#include "timing/acknowledge.hpp"

#include <vector>

#include <tombolo/platform/mpi/check.hpp>

namespace tombolo::timing {

namespace {

constexpr int tag = 0;

void exchange_empty(int other, bool sends, MPI_Comm communicator, MPI_Request& request) {
  if (sends) {
    check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, other, tag, communicator, &request), "MPI_Isend");
  } else {
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, other, tag, communicator, &request), "MPI_Irecv");
  }
}

}  // namespace

void acknowledge(MPI_Comm communicator) {
  int rank = 0;
  int ranks = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  // All at a time: simulated messages, even empty ones, only leave once their receive has been posted.
  for (const bool sends : {rank != 0, rank == 0}) {
    std::vector<MPI_Request> requests(static_cast<std::size_t>(rank == 0 ? ranks - 1 : 1), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      exchange_empty(rank == 0 ? static_cast<int>(i) + 1 : 0, sends, communicator, requests[i]);
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
}

}  // namespace tombolo::timing
