#pragma once

#include <algorithm>
#include <vector>

#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Broadcasts bytes in pieces so short that MPI libraries send each along a tree, many pieces at a time. For longer
/// messages they take chains and rings of all ranks, whose time is the latency of the longest link times the number of
/// ranks. Collective.
inline void broadcast_in_pieces(MPI_Comm communicator, int root, void* data, Bytes bytes) {
  constexpr Bytes piece = 2000;  // Open MPI's trees end at 2 KB, MPICH's at 12
  constexpr std::size_t at_once = 64;
  std::vector<MPI_Request> requests;
  for (Bytes at = 0; at < bytes; at += piece) {
    const int length = static_cast<int>(std::min(piece, bytes - at));
    requests.push_back(MPI_REQUEST_NULL);
    check_mpi(MPI_Ibcast(static_cast<char*>(data) + at, length, MPI_BYTE, root, communicator, &requests.back()),
              "MPI_Ibcast");
    if (requests.size() < at_once && at + piece < bytes) continue;
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    requests.clear();
  }
}

}  // namespace tombolo
