// Collectives on several communicators, from several threads, and where MPI reports an error.

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));

/// Some calls of several kinds, with results that depend on `salt`. Whether they are right.
bool calls_are_right(PlannedCollectives& planned, int times, std::int64_t salt) {
  const int ranks = planned.ranks();
  bool good = true;
  for (int i = 0; i < times; ++i) {
    const std::int64_t mine = planned.rank() + salt + i;
    std::int64_t sum = 0;
    Pending pending = planned.iallreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM);
    std::int64_t number = planned.rank() == i % ranks ? salt * i : -1;
    planned.bcast(&number, 1, MPI_INT64_T, i % ranks);
    planned.barrier();
    pending.wait();
    good = good && number == salt * i && sum == std::int64_t{ranks} * (ranks - 1) / 2 + ranks * (salt + i);
  }
  return good;
}

}  // namespace

TEST_CASE("communicators that were split from others have collectives of their own") {
  PlannedCollectives world(MPI_COMM_WORLD, planner);
  std::int64_t number = world.rank() == 0 ? 9 : -1;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank() % 2, -world.rank(), &part);
  {
    PlannedCollectives half(part, planner);
    Pending pending = world.ibcast(&number, 1, MPI_INT64_T, 0);
    const bool good = calls_are_right(half, 5, world.rank() % 2 == 0 ? 0 : 1000);
    pending.wait();
    CHECK(agreed(good && number == 9));
  }
  MPI_Comm_free(&part);
}

TEST_CASE("two threads work on two communicators") {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (provided < MPI_THREAD_MULTIPLE || machine::simulated()) return;
  PlannedCollectives one(MPI_COMM_WORLD, planner);
  PlannedCollectives other(MPI_COMM_WORLD, planner);
  bool good = false;
  std::thread thread([&] { good = calls_are_right(other, 50, 77); });
  const bool mine = calls_are_right(one, 50, 5);
  thread.join();
  CHECK(agreed(good && mine));
}

TEST_CASE("an error that MPI returns is thrown") {
  if (machine::simulated()) return;  // SimGrid ends the process
  const auto fails = [](const std::function<void()>& call) {
    bool thrown = false;
    try {
      call();
    } catch (const Error&) {
      thrown = true;
    }
    return thrown;
  };
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  NativeCollectives native(MPI_COMM_WORLD);
  std::vector<std::int64_t> vector(10);
  const int ranks = planned.ranks();
  // The root sends more than the others have room for.
  const Plan plan(Request::bcast(ranks, 0, planned.rank() == 0 ? 10 : 5, 8), bcast_flat);
  const bool by_plan = fails([&] { planned.run(plan, nullptr, vector.data(), MPI_INT64_T); });
  CHECK(agreed(by_plan == (planned.rank() > 0)));
  CHECK(agreed(fails([&] { native.bcast(vector.data(), 1, MPI_INT64_T, ranks); })));
}
