#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/mpi/timing/call_times.hpp>
#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/platform/mpi/machine.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

constexpr Picoseconds millisecond = 1'000'000'000;

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  Request bcast(std::int64_t count) const { return Request::bcast(ranks, 0, count, 1); }
  int rank = 0;
  int ranks = 1;
};

// Notes a call that the ranks enter `apart` after one another and all leave `later` after the last entry.
void note(CallTimes& times, const Request& request, const World& world, Picoseconds apart, Picoseconds later) {
  const Picoseconds now = machine::now();
  const PreparedPlan plan(Plan(request, *algorithms_for(request).front()), world.rank);
  times.add(plan, now + world.rank * apart, now + (world.ranks - 1) * apart + later);
}

}  // namespace

TEST_CASE("makespans are from the last rank's entry to the last one's end") {
  const World world;
  CallTimes times;
  CHECK_FALSE(times.has_enough());
  MPI_Barrier(MPI_COMM_WORLD);
  // Long ones, beside which it does not matter how far apart ranks of a busy machine begin.
  for (int call = 0; call < 7; ++call) note(times, world.bcast(1), world, 0, 100'000 * millisecond);
  for (int call = 0; call < 7; ++call) note(times, world.bcast(2), world, 1'000 * millisecond, 100'000 * millisecond);
  CHECK(times.has_enough());
  const std::vector<Experience> found = times.makespans(MPI_COMM_WORLD);
  CHECK(agreed(world.rank == 0 || found.empty()));
  if (world.rank != 0) return;
  REQUIRE(found.size() == 2);
  for (const Experience& each : found) {
    CHECK(each.makespans.size() == 7);
    for (const Picoseconds makespan : each.makespans) {
      CHECK((makespan > 90'000 * millisecond && makespan < 110'000 * millisecond));
    }
  }
}

TEST_CASE("the latest calls are noted, of requests that all ranks know") {
  const World world;
  CallTimes times;
  for (int call = 0; call < 100; ++call) note(times, world.bcast(1), world, 0, 100'000 * millisecond);
  const Request unknown =
      Request::gatherv(0, Blocks::equal(world.ranks, 1), 1).knowing(Knowledge::as_in_mpi).seen_by(world.rank);
  note(times, unknown, world, 0, 100'000 * millisecond);
  for (int count = 2; count < 200; ++count) note(times, world.bcast(count), world, 0, 100'000 * millisecond);
  const std::vector<Experience> found = times.makespans(MPI_COMM_WORLD);
  CHECK(agreed(world.rank != 0 || (found.size() == 64 && found.front().makespans.size() == 16)));
}

TEST_CASE("planned collectives note their blocking calls, in place or not") {
  const World world;
  const auto times = std::make_shared<CallTimes>();
  const auto planner = std::make_shared<Planner>(Hockney({.latency = 50'000'000, .rate = 125'000'000}));
  PlannedCollectives collectives(MPI_COMM_WORLD, planner, {}, times);
  int sum = 0;
  for (int call = 0; call < 6; ++call) {
    const int one = 1;
    sum = 1;
    collectives.reduce(world.rank == 0 && call % 2 == 0 ? MPI_IN_PLACE : &one, &sum, 1, MPI_INT, MPI_SUM, 0);
  }
  CHECK(agreed(world.rank != 0 || sum == world.ranks));
  CHECK(agreed(times->has_enough()));
  times->makespans(MPI_COMM_WORLD);  // whatever a busy machine makes of them
}

TEST_CASE("clocks of one machine are not apart") {
  const ClockComparison found = compare_clocks(MPI_COMM_WORLD);
  CHECK(agreed(found.ahead <= found.round_trip && -found.ahead <= found.round_trip));
}
