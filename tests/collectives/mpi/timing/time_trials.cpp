#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/timing/time_trials.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

#include "collectives/mpi/world.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::World;

namespace {

constexpr Repeat twice = {.least = 2, .most = 2};

// Every `stride`-th rank, from `first` on.
Scope part(int ranks, Rank first, int stride) {
  Scope scope{"part", {}};
  for (Rank rank = first; rank < ranks; rank += stride) scope.ranks.push_back(rank);
  return scope;
}

std::vector<Trial> trials(const Scope& scope) {
  const int count = static_cast<int>(scope.ranks.size());
  return trials_of(scope, {{Operation::barrier, Operation::bcast, Operation::gatherv}, {8, 20'000}, count, count - 1});
}

}  // namespace

TEST_CASE("what some ranks took for their trials, all know") {
  const World world;
  for (const int stride : {1, 2, 3}) {
    for (const Rank first : {0, world.ranks - 1}) {
      std::vector<Trial> timed = trials(part(world.ranks, first, stride));
      std::vector<int> asked;
      const ExperimentCost cost = time_trials(MPI_COMM_WORLD, timed, twice, [&](const Trial& trial) {
        asked.push_back(static_cast<int>(trial.sample.bytes));
      });
      // The lowest of the ranks says where it is, the others nothing.
      CHECK(agreed(asked.size() == (world.rank == first ? timed.size() : 0)));
      CHECK(agreed(cost.measurements == static_cast<std::int64_t>(timed.size())));
      const std::vector<double> spent = of_all_ranks(MPI_COMM_WORLD, cost.seconds);
      CHECK(agreed(std::count(spent.begin(), spent.end(), cost.seconds) == world.ranks && cost.seconds >= 0));
      bool good = true;
      for (const Trial& trial : timed) {
        const Picoseconds mine = trial.sample.measured;
        const std::vector<Picoseconds> all = of_all_ranks(MPI_COMM_WORLD, mine);
        good = good && std::count(all.begin(), all.end(), mine) == world.ranks;
        good = good && (mine > 0 || trial.sample.ranks == 1);
      }
      CHECK(agreed(good));
    }
  }
}

TEST_CASE("no trials cost nothing") {
  std::vector<Trial> none;
  CHECK(agreed(time_trials(MPI_COMM_WORLD, none, twice) == ExperimentCost{}));
}
