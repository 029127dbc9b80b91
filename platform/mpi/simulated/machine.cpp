#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <fmt/format.h>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <sys/mman.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

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

Place place() {
  return {};
}

void execute(double operations, int threads) {
  if (threads <= 1) {
    smpi_execute_flops(operations);
  } else {
    s4u::this_actor::thread_execute(s4u::this_actor::get_host(), operations / threads, threads);
  }
}

// With long links, the last rank leaves a barrier milliseconds after the first. Simulated ranks share one clock, and
// waiting costs nothing.
void start_together(MPI_Comm communicator) {
  const double now = MPI_Wtime();
  double latest = 0;
  check_mpi(MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, communicator), "MPI_Allreduce");
  constexpr double long_enough = 10;  // until all ranks have been notified
  s4u::this_actor::sleep_until(latest + long_enough);
}

// A waiting rank takes nothing from the others in a simulation, and each failed test costs simulated time.
MPI_Status wait_asleep(MPI_Request& request) {
  MPI_Status status;
  check_mpi(MPI_Wait(&request, &status), "MPI_Wait");
  return status;
}

void sleep(Picoseconds time) {
  s4u::this_actor::sleep_for(seconds(time));
}

// MPI_Waitsome tests all other requests when one is complete, and each failed test costs simulated time.
int wait_some(std::span<MPI_Request> requests, std::vector<int>& finished) {
  finished.assign(1, 0);
  check_mpi(MPI_Waitany(static_cast<int>(requests.size()), requests.data(), finished.data(), MPI_STATUS_IGNORE),
            "MPI_Waitany");
  return MPI_SUCCESS;
}

namespace {

// SimGrid ends at a message from a host to itself for which its zone has no way: in zones without routes, and in
// clusters that are a torus or a fat tree and have no loopback.
bool reaches_itself() {
  const s4u::Host* here = s4u::this_actor::get_host();
  const auto& zone = *here->get_englobing_zone()->get_impl();
  if (std::string_view(typeid(zone).name()).find("EmptyZone") != std::string_view::npos) return false;
  std::vector<s4u::Link*> links;
  double latency = 0;
  here->route_to(here, links, &latency);
  return !links.empty() || latency > 0;
}

}  // namespace

// A failed test costs simulated time, 0.1 ms more with each that follows on any rank. So this waits, for one of these
// or for a message of the rank to itself, which is there: the last is taken if no other is complete. Where there can be
// no such message, what is complete is found when it is waited for.
int test_some(std::span<MPI_Request> requests, std::vector<int>& finished) {
  static MPI_Comm self = MPI_COMM_NULL;  // each rank's own, as all static objects are under smpirun
  static MPI_Request always = MPI_REQUEST_NULL;
  if (self == MPI_COMM_NULL) check_mpi(MPI_Comm_dup(MPI_COMM_SELF, &self), "MPI_Comm_dup");
  static const bool possible = reaches_itself();
  finished.clear();
  if (!possible) return MPI_SUCCESS;
  std::vector<MPI_Request> all(requests.begin(), requests.end());
  all.push_back(always);
  const int last = static_cast<int>(requests.size());
  int index = MPI_UNDEFINED;
  while (index != last) {
    if (all.back() == MPI_REQUEST_NULL) {
      check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, 0, 0, self, &all.back()), "MPI_Irecv");
      check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, 0, 0, self), "MPI_Send");
    }
    check_mpi(MPI_Waitany(last + 1, all.data(), &index, MPI_STATUS_IGNORE), "MPI_Waitany");
    if (index != last) finished.push_back(index);
  }
  always = all.back();
  std::copy(all.begin(), all.end() - 1, requests.begin());
  return MPI_SUCCESS;
}

// MPI_Abort would end this rank alone and leave the others waiting.
void abort(int status) {
  (void)std::fflush(nullptr);
  std::_Exit(status);
}

// SimGrid stores the size of a message in an int.
Bytes largest_message() {
  return Bytes{1} << 30;
}

void* phantom(Bytes bytes) {
  // Probes the size first, since SimGrid ends the process if the system refuses it.
  void* const probe =
      mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) {  // NOLINT(performance-no-int-to-ptr): the system's macro
    throw Error(fmt::format("a matrix of {:.2f} GB is more address space than this system grants",
                            static_cast<double>(bytes) * 1e-9),
                "simulate a smaller problem, or set vm.overcommit_memory to 1 by sysctl");
  }
  munmap(probe, static_cast<std::size_t>(bytes));
  return smpi_shared_malloc(static_cast<std::size_t>(bytes), __FILE__, __LINE__);
}

}  // namespace tombolo::machine
