#pragma once

#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/platform/cores.hpp>
#include <tombolo/platform/place.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo::machine {

// The machine under MPI: real, or simulated by SimGrid (preset smpi). What differs between the two is behind these
// functions, once in real/ and once in simulated/, and nowhere else.

/// Whether processors, links and time are simulated. Then all ranks are coroutines of one process on one real host.
bool simulated();

/// This rank's clock; it starts anywhere and never goes back.
Picoseconds now();

/// The cores that this rank may use.
Cores cores();

/// Where in its host this rank runs.
Place place();

/// Lets the time pass that this rank's processor takes for so many floating point operations on that many threads. A
/// real machine spends it in the computation itself: there, this does nothing.
void execute(double operations, int threads);

/// Lets all ranks go on together: as closely as a barrier can, in a simulation at the very same time. Collective.
void start_together(MPI_Comm communicator);

/// Waits for a request without keeping a core busy.
MPI_Status wait_asleep(MPI_Request& request);

/// Lets so much time pass without keeping a core busy.
void sleep(Picoseconds time);

/// Waits until at least one of the requests is complete; `finished` then says which are. There is one that is active.
void wait_some(std::span<MPI_Request> requests, std::vector<int>& finished);

/// Ends all ranks at once with this status.
[[noreturn]] void abort(int status);

/// The most bytes that one message, or one call of a collective, may carry.
Bytes largest_message();

/// Address space for so many bytes which holds nothing: it may be sent and received, which takes the time that real
/// data would take, but what comes out is arbitrary. Only in a simulation; all ranks may be given the same. Throws
/// Error where the system does not grant so much address space.
void* phantom(Bytes bytes);

}  // namespace tombolo::machine
