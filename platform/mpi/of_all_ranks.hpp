#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <mpi.h>

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
  MPI_Datatype one = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(bytes, MPI_BYTE, &one), "MPI_Type_contiguous");
  check_mpi(MPI_Type_commit(&one), "MPI_Type_commit");
  check_mpi(MPI_Bcast(all.data(), ranks, one, 0, communicator), "MPI_Bcast");
  check_mpi(MPI_Type_free(&one), "MPI_Type_free");
  return all;
}

}  // namespace tombolo
