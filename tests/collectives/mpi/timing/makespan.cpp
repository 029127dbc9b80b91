#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/units.hpp>

#include "collectives/mpi/world.hpp"
#include "collectives/requests.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::Spread;

namespace {

constexpr Repeat twice = {.least = 2, .most = 2};

int ranks_of(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}

bool same_on_all(MPI_Comm communicator, Measured mine) {
  const std::vector<Measured> all = of_all_ranks(communicator, mine);
  return std::all_of(all.begin(), all.end(), [&](Measured other) { return other == mine; });
}

}  // namespace

TEST_CASE("plans of every algorithm take their time, the same on all ranks") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  PlanTimer timer(MPI_COMM_WORLD);
  std::mt19937 random(5);
  for (const Algorithm* const algorithm : all_algorithms()) {
    for (const Rank root : {0, ranks - 1}) {
      if (root > 0 && !is_rooted(algorithm->operation)) continue;
      for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven}) {
        const Request request = test::request(algorithm->operation, ranks, root, spread, random);
        const Measured time = timer.makespan(Plan(request, *algorithm, {.segment_bytes = 64}), twice);
        INFO(name(algorithm->operation) << " " << algorithm->name << " root " << root);
        CHECK(same_on_all(MPI_COMM_WORLD, time));
        CHECK(agreed(time.value > 0 || (machine::simulated() && time.value == 0)));
      }
    }
  }
}

TEST_CASE("more bytes take longer, the timing of small ones once more included") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  PlanTimer timer(MPI_COMM_WORLD);
  if (ranks == 1) return;
  for (const Algorithm* const algorithm : all_algorithms()) {
    const auto request = [&](std::int64_t count) {
      switch (algorithm->operation) {
        case Operation::bcast:
          return Request::bcast(ranks, 0, count, 8);
        case Operation::reduce:
          return Request::reduce(ranks, 0, count, 8);
        case Operation::scatterv:
          return Request::scatterv(0, Blocks::equal(ranks, count), 8);
        case Operation::gatherv:
          return Request::gatherv(0, Blocks::equal(ranks, count), 8);
        default:
          return Request::barrier(ranks);
      }
    };
    if (request(1).operation != algorithm->operation || algorithm->operation == Operation::barrier) continue;
    INFO(name(algorithm->operation) << " " << algorithm->name);
    Measured small;
    Measured again;
    // On a machine whose processors are shared a single time can be anything: one of several has to show it.
    bool longer = false;
    for (int attempt = 0; attempt < (machine::simulated() ? 1 : 10) && !longer; ++attempt) {
      small = timer.makespan(Plan(request(1), *algorithm), twice);
      const Measured large = timer.makespan(Plan(request(400'000), *algorithm), twice);
      again = timer.makespan(Plan(request(1), *algorithm), twice);
      longer = agreed(large.value > small.value && large.value > again.value);
    }
    CHECK(longer);
    if (machine::simulated()) CHECK(agreed(std::abs(small.value - again.value) <= small.value / 1'000'000 + 1));
  }
}

TEST_CASE("every single time is handed out, until there are enough or the budget is spent") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  PlanTimer timer(MPI_COMM_WORLD);
  const Plan plan(Request::bcast(ranks, 0, 1000, 8), bcast_flat);
  const std::vector<Picoseconds> five = timer.makespans(plan, 5);
  CHECK(agreed(five.size() == 5));
  for (const Picoseconds time : five) CHECK(same_on_all(MPI_COMM_WORLD, {.value = time, .error = 0}));
  CHECK(agreed(timer.makespans(plan, 5, 0).size() == 1));
}

TEST_CASE("some of the ranks time plans while the others wait") {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int half = (ranks_of(MPI_COMM_WORLD) + 1) / 2;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < half ? 0 : MPI_UNDEFINED, rank, &part);
  bool good = true;
  if (part != MPI_COMM_NULL) {
    PlanTimer timer(part);
    const Measured time = timer.makespan(Plan(Request::bcast(half, half - 1, 1000, 1), bcast_chain), twice);
    good = same_on_all(part, time) && (time.value > 0 || half == 1);
  }
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Request done = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &done);
  machine::wait_asleep(done);
  CHECK(agreed(good));
}

TEST_CASE("plans that cannot be timed are refused on all ranks") {
  const int ranks = ranks_of(MPI_COMM_WORLD);
  PlanTimer timer(MPI_COMM_WORLD);
  const auto refused = [&](const Plan& plan) {
    bool thrown = false;
    try {
      timer.makespan(plan);
    } catch (const Error&) {
      thrown = true;
    }
    return agreed(thrown);
  };
  CHECK(refused(Plan(Request::barrier(ranks + 1), barrier_dissemination)));
  CHECK(refused(Plan(Request::reduce(ranks, 0, 10, 3), reduce_binomial)));
  const Request unknown = Request::scatterv(0, Blocks::equal(ranks, 3), 8).knowing(Knowledge::as_in_mpi);
  CHECK(refused(Plan(unknown, scatterv_binomial)) == Plan(unknown, scatterv_binomial).learns());
}

using test::agreed;
using test::World;

namespace {

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
      const double limit = stride == 2 ? 1e6 : std::numeric_limits<double>::infinity();
      std::vector<int> asked;
      const ExperimentCost cost = time_trials(MPI_COMM_WORLD, timed, twice, limit, [&](const Trial& trial) {
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

TEST_CASE("without time, nothing is timed") {
  const World world;
  std::vector<Trial> late = trials(part(world.ranks, 0, 1));
  CHECK(agreed(time_trials(MPI_COMM_WORLD, late, twice, -1).measurements == 0));
  CHECK(agreed(std::ranges::all_of(late, [](const Trial& trial) { return trial.sample.measured == not_timed; })));
}

TEST_CASE("no trials cost nothing") {
  std::vector<Trial> none;
  CHECK(agreed(time_trials(MPI_COMM_WORLD, none, twice) == ExperimentCost{}));
}
