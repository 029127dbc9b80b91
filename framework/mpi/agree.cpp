#include <exception>
#include <limits>
#include <new>
#include <utility>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

namespace tombolo {

namespace {

// MPI is never called inside a catch block: in simulation, ranks are coroutines of one thread.
std::string attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    return "out of memory; take a smaller problem or more hosts";
  } catch (const std::exception& error) {
    return *error.what() == '\0' ? "failed without a reason" : error.what();
  }
  return {};
}

}  // namespace

void agree(MPI_Comm communicator, const std::function<void()>& work) {
  std::string words = attempt(work);
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  constexpr int nobody = std::numeric_limits<int>::max();
  const int mine = words.empty() ? nobody : rank;
  int failed = nobody;
  check_mpi(MPI_Allreduce(&mine, &failed, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  if (failed == nobody) return;
  throw AgreedError(text_from(communicator, failed, std::move(words)));
}

}  // namespace tombolo
