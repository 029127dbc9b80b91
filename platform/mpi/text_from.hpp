#pragma once

#include <string>

#include <mpi.h>

namespace tombolo {

/// Returns the text of `root` on all ranks. Collective.
std::string text_from(MPI_Comm communicator, int root, std::string text);

}  // namespace tombolo
