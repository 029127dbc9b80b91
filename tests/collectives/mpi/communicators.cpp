// Collectives on several communicators, from several threads, and where MPI reports an error.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

#include "collectives/mpi/world.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::World;

namespace {

const Hockney links({.latency = 1'000'000, .rate = 1'000'000'000});
const auto planner = std::make_shared<Planner>(links);

/// Some calls of several kinds, with results that depend on `salt`. Whether they are right.
bool calls_are_right(PlannedCollectives& planned, int times, std::int64_t salt) {
  const int ranks = planned.ranks();
  bool good = true;
  for (int i = 0; i < times; ++i) {
    const std::int64_t mine = planned.rank() + salt + i;
    std::int64_t sum = 0;
    Pending pending = planned.start(Request::allreduce(ranks, 1, 8), &mine, &sum, MPI_INT64_T, MPI_SUM);
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
    Pending pending = world.start(Request::bcast(world.ranks(), 0, 1, 8), nullptr, &number, MPI_INT64_T);
    const bool good = calls_are_right(half, 5, world.rank() % 2 == 0 ? 0 : 1000);
    pending.wait();
    CHECK(agreed(good && number == 9));
  }
  MPI_Comm_free(&part);
}

TEST_CASE("executors for some ranks each share a communicator, in calls that do not wait for each other") {
  const World world;
  struct Part {
    Part(MPI_Comm shared, const std::vector<Rank>& ranks, std::uint64_t number)
        : members(ranks), executor({.communicator = shared, .ranks = ranks}, number) {}
    std::vector<Rank> members;
    Executor executor;
  };
  MPI_Comm shared = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &shared);
  std::vector<Rank> every_other;
  for (Rank rank = world.rank % 2; rank < world.ranks; rank += 2) every_other.push_back(rank);
  std::vector<Rank> backwards(static_cast<std::size_t>(world.ranks));
  for (Rank rank = 0; rank < world.ranks; ++rank) backwards[static_cast<std::size_t>(rank)] = world.ranks - 1 - rank;
  std::vector<std::unique_ptr<Part>> parts;
  for (const auto& members : {every_other, backwards, backwards}) {
    const std::uint64_t number =
        7 + parts.size() / 2 + static_cast<std::size_t>(members.front());  // the last two alike
    parts.push_back(std::make_unique<Part>(shared, members, number));
  }
  bool good = true;
  for (std::int64_t call = 0; call < 60; ++call) {
    Part& part = *parts[static_cast<std::size_t>(call) % parts.size()];
    const int ranks = static_cast<int>(part.members.size());
    const auto me = static_cast<Rank>(std::ranges::find(part.members, world.rank) - part.members.begin());
    const std::int64_t salt = call * 100 + part.members.front();
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(1 + call % 4 * 300), me == call % ranks ? salt : -1);
    Memory of_bcast(numbers.data(), numbers.data(), type_layout(MPI_INT64_T));
    const Rank root = static_cast<Rank>(call % ranks);
    part.executor.run(*planner->prepared(Request::bcast(ranks, root, std::ssize(numbers), 8), me), of_bcast);
    good = good && std::ranges::all_of(numbers, [salt](std::int64_t number) { return number == salt; });
    std::int64_t sum = me + salt;
    std::int64_t mine = sum;
    Memory of_sum(&mine, &sum, type_layout(MPI_INT64_T), MPI_SUM);
    part.executor.run(*planner->prepared(Request::allreduce(ranks, 1, 8), me), of_sum);
    good = good && sum == std::int64_t{ranks} * (ranks - 1) / 2 + ranks * salt;
  }
  CHECK(agreed(good));
  MPI_Comm_free(&shared);
}

TEST_CASE("two threads work on two communicators") {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  if (provided < MPI_THREAD_MULTIPLE || machine::simulated()) return;
  // A planner is for one thread at a time.
  PlannedCollectives one(MPI_COMM_WORLD, planner);
  PlannedCollectives other(MPI_COMM_WORLD, std::make_shared<Planner>(links));
  bool good = false;
  std::thread thread([&] { good = calls_are_right(other, 50, 77); });
  const bool mine = calls_are_right(one, 50, 5);
  thread.join();
  CHECK(agreed(good && mine));
}

TEST_CASE("an error that MPI returns is thrown") {
  if (machine::simulated()) return;  // SimGrid ends the process
  int kind = MPI_SUCCESS;            // of the last error
  const auto fails = [&kind](const std::function<void()>& call) {
    bool thrown = false;
    try {
      call();
    } catch (const MpiError& error) {
      thrown = true;
      MPI_Error_class(error.code(), &kind);
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
  // In a chain the first rank after the root alone notices, and sends on what it could take.
  const Plan chain(plan.request(), bcast_chain);
  std::vector<std::int64_t> sent(10, planned.rank());
  const bool in_chain = fails([&] { planned.run(chain, nullptr, sent.data(), MPI_INT64_T); });
  CHECK(agreed(in_chain == (planned.rank() == 1)));
  CHECK(agreed(planned.rank() < 2 || sent[5] == planned.rank()));
  // The last rank sends more than the root has room for, which takes the blocks of the others.
  const auto last = static_cast<Rank>(ranks - 1);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks), 1);
  if (planned.rank() == last) counts.back() = 2;
  const Plan gather(Request::gatherv(0, Blocks(counts), 8), gatherv_flat);
  std::vector<std::int64_t> whole(10, -1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // MPICH's for calls that wait for several messages
  const std::vector<std::int64_t> mine(2, planned.rank());
  const bool at_root = fails([&] { planned.run(gather, mine.data(), whole.data(), MPI_INT64_T); });
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  CHECK(agreed(at_root == (planned.rank() == 0 && ranks > 1)));
  CHECK(agreed(!at_root || kind == MPI_ERR_TRUNCATE));
  for (Rank rank = 0; rank + 1 < ranks; ++rank) {
    CHECK(agreed(planned.rank() > 0 || whole[static_cast<std::size_t>(rank)] == rank));
  }
  CHECK(agreed(fails([&] { native.bcast(vector.data(), 1, MPI_INT64_T, ranks); })));
}
