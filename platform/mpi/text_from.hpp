#pragma once

#include <string>

#include <mpi.h>

#include <tombolo/platform/mpi/broadcast_in_pieces.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

/// Returns the text of `root` on all ranks. Collective.
inline std::string text_from(MPI_Comm communicator, int root, std::string text) {
  int ranks = 1;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  if (ranks == 1) return text;
  int length = static_cast<int>(text.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, root, communicator), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  broadcast_in_pieces(communicator, root, text.data(), length);
  return text;
}

}  // namespace tombolo
