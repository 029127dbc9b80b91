#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

constexpr Picoseconds millisecond = 1'000'000'000;

int rank_of(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

}  // namespace

TEST_CASE("ranks that agree on a moment begin at the same one, none before it") {
  if (machine::simulated()) return;
  CommonStart start(MPI_COMM_WORLD, false);
  // Here all have one clock, so what they take for the moment differs by the error of comparing clocks.
  Picoseconds least = never;
  for (int i = 0; i < 5; ++i) {
    const Picoseconds begin = start.next();
    CHECK(agreed(machine::now() >= begin));
    const std::vector<Picoseconds> all = of_all_ranks(MPI_COMM_WORLD, begin);
    const auto [first, last] = std::minmax_element(all.begin(), all.end());
    least = std::min(least, *last - *first);
  }
  CHECK(agreed(least < 20 * millisecond));
}

TEST_CASE("a makespan ends with the last rank, however the ranks begin") {
  for (const bool one_host : {true, false}) {
    if (machine::simulated() && !one_host) continue;
    CommonStart start(MPI_COMM_WORLD, one_host);
    const auto call = [&] {
      if (rank_of(MPI_COMM_WORLD) == 0) machine::sleep(30 * millisecond);
    };
    const Picoseconds time = makespan_of(MPI_COMM_WORLD, start, call);
    CHECK(agreed(time >= 29 * millisecond));
    const std::vector<Picoseconds> all = of_all_ranks(MPI_COMM_WORLD, time);
    CHECK(agreed(std::all_of(all.begin(), all.end(), [&](Picoseconds other) { return other == time; })));
  }
}
