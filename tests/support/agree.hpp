#pragma once

#include <mpi.h>

namespace tombolo::test {

// True on every rank if `mine` is true on every rank. A collective call: assert what it returns,
//
//   CHECK(agreed(received == expected));
//
// and all ranks pass or fail together, so that none waits in the next collective for one that has given up.
inline bool agreed(bool mine, MPI_Comm comm = MPI_COMM_WORLD) {
  int all = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm);
  return all != 0;
}

}  // namespace tombolo::test
