#include <cmath>
#include <stdexcept>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/platform/mpi/machine.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

TEST_CASE("the clock never goes back, and declared work takes time in a simulation only") {
  const Picoseconds begin = machine::now();
  machine::execute(1e9, 1);
  const Picoseconds one = machine::now();
  machine::execute(3e9, 1);
  const Picoseconds other = machine::now();
  CHECK(agreed(begin <= one && one <= other));
  if (!machine::simulated()) return;
  const auto ratio = static_cast<double>(other - one) / static_cast<double>(one - begin);
  CHECK(agreed(std::abs(ratio - 3) < 1e-6));
}

TEST_CASE("there is a core") {
  const Cores cores = machine::cores();
  CHECK(agreed(cores.usable >= 1 && cores.usable <= cores.on_host));
}

TEST_CASE("a rank that waits asleep wakes up when the request is complete") {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int word = rank == 0 ? 42 : 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  machine::wait_asleep(request);
  CHECK(agreed(word == 42 && request == MPI_REQUEST_NULL));
}

TEST_CASE("phantom memory can be written to and travels, in a simulation") {
  if (!machine::simulated()) {
    CHECK_THROWS_AS(machine::phantom(1), std::logic_error);
    return;
  }
  constexpr Bytes bytes = 100'000'000;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  auto* const room = static_cast<char*>(machine::phantom(bytes));
  room[0] = 1;
  room[bytes - 1] = 1;
  const Picoseconds begin = machine::now();
  MPI_Bcast(room, static_cast<int>(bytes), MPI_CHAR, 0, MPI_COMM_WORLD);
  CHECK(agreed(ranks == 1 || machine::now() > begin));
}
