#pragma once

#include <mpi.h>

namespace tombolo::interpose {

/// Lets MPI_Finalize end without answers from peers: what ranks have sent has left them afterwards, and connections are
/// not flushed one by one any more. The last communication before MPI_Finalize. Collective.
void prepare_closing(MPI_Comm communicator);

}  // namespace tombolo::interpose
