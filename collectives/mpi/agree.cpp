#include <limits>
#include <utility>

#include <tombolo/collectives.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/attempt.hpp>

namespace tombolo {

std::optional<int> lowest_rank(MPI_Comm communicator, bool holds) {
  constexpr int none = std::numeric_limits<int>::max();
  int lowest = none;
  if (holds) check_mpi(MPI_Comm_rank(communicator, &lowest), "MPI_Comm_rank");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return lowest == none ? std::nullopt : std::optional(lowest);
}

void agree(MPI_Comm communicator, const std::function<void()>& work) {
  std::string words = attempt(work);
  const std::optional<int> failed = lowest_rank(communicator, !words.empty());
  if (failed) throw AgreedError(text_from(communicator, *failed, std::move(words)));
}

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
