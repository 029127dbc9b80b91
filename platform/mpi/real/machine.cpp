#include <algorithm>
#include <ctime>
#include <limits>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

#include <tombolo/platform/description/host_levels.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo::machine {

bool simulated() {
  return false;
}

Picoseconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * picoseconds_per_second + time.tv_nsec * 1000;
}

Cores cores() {
  return find_cores();
}

Place place() {
  return find_place();
}

void execute(double, int) {}

void start_together(MPI_Comm communicator) {
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
}

MPI_Status wait_asleep(MPI_Request& request) {
  constexpr Picoseconds shortest = 50'000'000;
  constexpr Picoseconds longest = 5'000'000'000;
  MPI_Status status;
  Picoseconds pause = shortest;
  while (true) {
    int complete = 0;
    check_mpi(MPI_Test(&request, &complete, &status), "MPI_Test");
    if (complete != 0) return status;
    sleep(pause);
    pause = std::min(2 * pause, longest);
  }
}

void sleep(Picoseconds time) {
  const timespec pause{time / picoseconds_per_second, time % picoseconds_per_second / 1000};
  nanosleep(&pause, nullptr);
}

namespace {

// MPI_Waitsome or MPI_Testsome.
int some_of(decltype(MPI_Waitsome)& call, const char* name, std::span<MPI_Request> requests,
            std::vector<int>& finished) {
  static thread_local std::vector<MPI_Status> statuses;
  finished.resize(requests.size());
  statuses.resize(requests.size());
  int count = 0;
  const int code = call(static_cast<int>(requests.size()), requests.data(), &count, finished.data(), statuses.data());
  if (code != MPI_SUCCESS && count <= 0) check_mpi(code, name);  // no message: the call itself
  finished.resize(static_cast<std::size_t>(count));
  return code == MPI_SUCCESS ? code : error_of_messages(code, std::span(statuses).first(finished.size()));
}

}  // namespace

int wait_some(std::span<MPI_Request> requests, std::vector<int>& finished) {
  return some_of(MPI_Waitsome, "MPI_Waitsome", requests, finished);
}

int test_some(std::span<MPI_Request> requests, std::vector<int>& finished) {
  return some_of(MPI_Testsome, "MPI_Testsome", requests, finished);
}

void abort(int status) {
  let_be_read();
  // Suppresses MPI's own message about the abort on stderr.
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

Bytes largest_message() {
  return std::numeric_limits<Bytes>::max();
}

void* phantom(Bytes) {
  throw std::logic_error("phantom memory outside a simulation");
}

}  // namespace tombolo::machine
