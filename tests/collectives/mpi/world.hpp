#pragma once

#include <mpi.h>

namespace tombolo::test {

/// This rank and how many there are.
struct World {
  int rank = 0;
  int ranks = 1;
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
};

}  // namespace tombolo::test
