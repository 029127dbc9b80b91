#include <exception>
#include <limits>
#include <new>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/mpi/check.hpp>

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
  int length = static_cast<int>(words.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, failed, communicator), "MPI_Bcast");
  words.resize(static_cast<std::size_t>(length));
  check_mpi(MPI_Bcast(words.data(), length, MPI_CHAR, failed, communicator), "MPI_Bcast");
  throw AgreedError(words);
}

}  // namespace tombolo
