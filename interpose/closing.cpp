// How connections end. In MPI_Finalize, MPICH 4.0 over UCX flushes and closes each connection of a rank, and the rank
// then waits for all others in the process manager, where it serves nobody. A flush that needs an answer of such a
// rank, as over a connection that is still being made, waits for ever. So nothing is left to flush here, and MPICH's
// calls for it do nothing: UCX closes what is open when its worker is destroyed, which is after all ranks have come.
#include <atomic>

#include <tombolo/interpose/closing.hpp>
#include <tombolo/interpose/native.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo::interpose {

#ifdef MPICH

namespace {

std::atomic<bool> closing = false;

}  // namespace

// After the first barrier all ranks are in MPI_Finalize, so whatever was sent to them has come, and the connections
// that barriers use are made. So the messages of the second go to the kernel at once, which delivers them without the
// sender.
void prepare_closing(MPI_Comm communicator) {
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  closing = true;
}

extern "C" __attribute__((visibility("default"))) void* ucp_disconnect_nb(void* endpoint) {
  static auto* const hidden = next<void*(void*)>("ucp_disconnect_nb");
  return closing ? nullptr : hidden(endpoint);  // null: it is done
}

#else

void prepare_closing(MPI_Comm) {}

#endif

}  // namespace tombolo::interpose
