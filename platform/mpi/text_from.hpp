#pragma once

#include <string>

#include <mpi.h>

namespace tombolo {

/// The text that `root` has, on all ranks. Collective.
std::string text_from(MPI_Comm communicator, int root, std::string text);

}  // namespace tombolo
