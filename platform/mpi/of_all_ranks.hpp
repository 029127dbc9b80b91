#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <mpi.h>

#include <tombolo/platform/mpi/broadcast_in_pieces.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

/// Returns the values of all ranks, by rank, on all ranks. Uses a gather and a broadcast through rank 0, along trees:
/// an MPI_Allgather may use a ring, whose time is the latency of the longest link times the number of ranks.
/// Collective.
template <class T>
std::vector<T> of_all_ranks(MPI_Comm communicator, const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  int ranks = 1;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  if (ranks == 1) return {mine};
  std::vector<T> all(static_cast<std::size_t>(ranks));
  constexpr int bytes = static_cast<int>(sizeof(T));
  check_mpi(MPI_Gather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, communicator), "MPI_Gather");
  broadcast_in_pieces(communicator, 0, all.data(), Bytes{bytes} * ranks);
  return all;
}

/// Returns the value of rank 0 on all ranks. Collective.
template <class T>
T of_rank_0(MPI_Comm communicator, T mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  check_mpi(MPI_Bcast(&mine, static_cast<int>(sizeof(T)), MPI_BYTE, 0, communicator), "MPI_Bcast");
  return mine;
}

}  // namespace tombolo
