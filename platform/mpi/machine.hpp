#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/system/cores.hpp>
#include <tombolo/units.hpp>

namespace tombolo::machine {

// The machine under MPI: real, or simulated by SimGrid (preset smpi). All differences between the two are behind these
// functions, implemented in real/ and in simulated/.

/// Returns true if processors, links and time are simulated. All ranks are then coroutines of one process on one real
/// host.
bool simulated();

/// True if the MPI that this is built with is Open MPI, which starts ranks and names files in its own way.
#ifdef OPEN_MPI
inline constexpr bool open_mpi = true;
#else
inline constexpr bool open_mpi = false;
#endif

/// Returns the time of this rank's clock, monotonic from an arbitrary start.
Picoseconds now();

/// Returns the cores of this rank.
Cores cores();

/// Returns the position of this rank in its host.
Place place();

/// Advances the simulated time by the duration of `operations` floating point operations on `threads` threads of this
/// rank's processor. Does nothing on a real machine, where the computation itself takes the time.
void execute(double operations, int threads);

/// Releases all ranks together: on a real machine as closely as a barrier can, in a simulation at the same instant.
/// Collective.
void start_together(MPI_Comm communicator);

/// Waits for a request without keeping a core busy.
MPI_Status wait_asleep(MPI_Request& request);

/// Sleeps for `time`, without keeping a core busy.
void sleep(Picoseconds time);

/// Waits until at least one of the requests is complete, and stores the indices of the complete ones in `finished`. At
/// least one request must be active. Returns the error of the first of these that has failed, else MPI_SUCCESS.
int wait_some(std::span<MPI_Request> requests, std::vector<int>& finished);

/// wait_some() without waiting: `finished` is empty if no request is complete.
int test_some(std::span<MPI_Request> requests, std::vector<int>& finished);

/// Ends all ranks at once with this status, after the output of this rank has been delivered.
[[noreturn]] void abort(int status);

/// Returns the maximum number of bytes of one message or one collective call.
Bytes largest_message();

/// Returns address space of the given size without memory behind it. Messages from and to it take the time of real
/// data, but their contents are arbitrary. Only in a simulation; all ranks may get the same address. Throws Error if
/// the system does not grant the address space.
void* phantom(Bytes bytes);

}  // namespace tombolo::machine
