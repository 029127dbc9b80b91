#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::machine {

namespace s4u = simgrid::s4u;

bool simulated() {
  return true;
}

Picoseconds now() {
  return std::llround(MPI_Wtime() * static_cast<double>(picoseconds_per_second));
}

Cores cores() {
  const int number = s4u::this_actor::get_host()->get_core_count();
  return {.usable = number, .on_host = number, .processor = "simulated"};
}

void execute(double operations, int threads) {
  if (threads <= 1) {
    smpi_execute_flops(operations);
  } else {
    s4u::this_actor::thread_execute(s4u::this_actor::get_host(), operations / threads, threads);
  }
}

// A rank that waits in a simulation takes nothing from the others, and a test that fails costs it simulated time.
void wait_asleep(MPI_Request& request) {
  check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

// MPI_Abort would end this rank alone and leave the others waiting.
void abort(int status) {
  (void)std::fflush(nullptr);
  std::_Exit(status);
}

// SimGrid keeps the size of a message in an int.
Bytes largest_message() {
  return Bytes{1} << 30;
}

void* phantom(Bytes bytes) {
  return smpi_shared_malloc(static_cast<std::size_t>(bytes), __FILE__, __LINE__);
}

}  // namespace tombolo::machine
