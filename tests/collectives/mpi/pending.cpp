// Calls that are started and completed later: many at a time, in any order, again and again.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));
using Numbers = std::vector<std::int64_t>;

std::int64_t sum_of_ranks(int ranks) {
  return std::int64_t{ranks} * (ranks - 1) / 2;
}

/// A broadcast that has been started, and what it should bring.
struct Started {
  Started(PlannedCollectives& planned, const Algorithm& algorithm, int number)
      : root(number % planned.ranks()),
        expected(1 + static_cast<std::size_t>(number) * 37 % 200, number),
        vector(expected.size(), -1) {
    if (planned.rank() == root) vector = expected;
    const Request request = Request::bcast(planned.ranks(), root, std::ssize(vector), sizeof(std::int64_t));
    pending = planned.start(Plan(request, algorithm, {.segment_bytes = 160}), nullptr, vector.data(), MPI_INT64_T);
  }
  bool good() const { return vector == expected; }

  Rank root;
  Numbers expected;
  Numbers vector;
  Pending pending;
};

}  // namespace

TEST_CASE("calls under way are completed in reverse order, by wait or by test, and do not mix") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  for (const bool by_test : {false, true}) {
    if (by_test && machine::simulated()) continue;  // a test that fails takes simulated time
    std::vector<Started> calls;
    for (int number = 0; number < 12; ++number) {
      calls.emplace_back(planned, number % 2 == 0 ? bcast_chain : bcast_binomial, number);
    }
    bool good = true;
    for (; !calls.empty(); calls.pop_back()) {
      Started& call = calls.back();
      if (by_test) {
        while (!call.pending.test()) continue;
      } else {
        call.pending.wait();
      }
      good = good && call.good() && call.pending.test();
    }
    CHECK(agreed(good));
  }
}

TEST_CASE("a rank waits for one call while another one waits in a blocking call") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  // In a chain, every rank's part needs the one before it to get on: inside its barrier, on every other rank.
  Started call(planned, bcast_chain, 3);
  if (planned.rank() % 2 == 0) call.pending.wait();
  planned.barrier();
  call.pending.wait();
  CHECK(agreed(call.good()));
}

TEST_CASE("every operation can be started") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const Rank me = planned.rank();
  const int ranks = planned.ranks();
  std::int64_t mine = me;
  std::int64_t first = me == 0 ? 42 : -1;
  std::int64_t sum = -1;
  std::int64_t at_root = -1;
  std::int64_t before = -1;
  std::int64_t in_place = me;
  Numbers all(static_cast<std::size_t>(ranks), -1);
  {
    const auto start = [&](const Request& request, const void* input, void* output) {
      return planned.start(request, input, output, MPI_INT64_T, MPI_SUM);
    };
    Pending barrier = start(Request::barrier(ranks), nullptr, nullptr);
    Pending bcast = start(Request::bcast(ranks, 0, 1, 8), nullptr, &first);
    Pending reduce = start(Request::reduce(ranks, ranks - 1, 1, 8), &mine, &at_root);
    Pending allreduce = start(Request::allreduce(ranks, 1, 8), &mine, &sum);
    Pending again = start(Request::allreduce(ranks, 1, 8).with_in_place(true), MPI_IN_PLACE, &in_place);
    Pending allgather = start(Request::allgatherv(Blocks::equal(ranks, 1), 8), &mine, all.data());
    Pending exscan = start(Request::exscan(ranks, 1, 8), &mine, &before);
    barrier.wait();  // the others when they go out of scope
  }
  bool good = first == 42 && sum == sum_of_ranks(ranks) && in_place == sum;
  good = good && at_root == (me == ranks - 1 ? sum_of_ranks(ranks) : -1);
  good = good && before == (me == 0 ? -1 : sum_of_ranks(me));
  for (Rank rank = 0; rank < ranks; ++rank) good = good && all[static_cast<std::size_t>(rank)] == rank;
  CHECK(agreed(good));
}

TEST_CASE("counts are learned without waiting, too") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const Rank me = planned.rank();
  const int ranks = planned.ranks();
  std::vector<Numbers> results;
  std::vector<Pending> pending;
  Numbers counts;
  for (Rank rank = 0; rank < ranks; ++rank) counts.push_back(rank % 3);
  const Blocks blocks(counts);
  const Numbers block(static_cast<std::size_t>(blocks.count(me)), me);
  for (Rank root = 0; root < ranks; ++root) {
    results.emplace_back(static_cast<std::size_t>(blocks.total()), -1);
    const Request request = Request::gatherv(root, blocks, 8).knowing(Knowledge::as_in_mpi).seen_by(me);
    pending.push_back(planned.start(Plan(request, gatherv_binomial), block.data(), results.back().data(), MPI_INT64_T));
  }
  pending.clear();
  bool good = true;
  for (Rank rank = 0; rank < ranks; ++rank) {
    const auto at = results[static_cast<std::size_t>(me)].begin() + blocks.offset(rank);
    good = good && std::all_of(at, at + blocks.count(rank), [rank](std::int64_t x) { return x == rank; });
  }
  CHECK(agreed(good));
}

TEST_CASE("more calls are started than there are tags for") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  constexpr int calls = 1100;
  if (planned.ranks() > 3) return;
  Numbers numbers(calls, -1);
  std::vector<Pending> pending;
  for (int call = 0; call < calls; ++call) {
    std::int64_t& number = numbers[static_cast<std::size_t>(call)];
    if (planned.rank() == call % planned.ranks()) number = call;
    const Request request = Request::bcast(planned.ranks(), call % planned.ranks(), 1, 8);
    pending.push_back(planned.start(request, nullptr, &number, MPI_INT64_T));
  }
  pending.clear();
  bool good = true;
  for (int call = 0; call < calls; ++call) good = good && numbers[static_cast<std::size_t>(call)] == call;
  CHECK(agreed(good));
}

TEST_CASE("a persistent call is started again and again, beside others") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  Numbers mine(30);
  Numbers sum(mine.size());
  const Request request = Request::allreduce(ranks, std::ssize(mine), 8);
  Persistent persistent = planned.persistent(request, mine.data(), sum.data(), MPI_INT64_T, MPI_SUM);
  bool good = persistent.test();
  for (int call = 0; call < 50; ++call) {
    std::fill(mine.begin(), mine.end(), planned.rank() + call);
    persistent.start();
    Started other(planned, bcast_chain, call);
    if (call % 3 == 0) other.pending.wait();
    persistent.wait();
    const std::int64_t expected = sum_of_ranks(ranks) + std::int64_t{ranks} * call;
    good = good && std::all_of(sum.begin(), sum.end(), [expected](std::int64_t x) { return x == expected; });
    other.pending.wait();
    good = good && other.good();
  }
  CHECK(agreed(good));
}

TEST_CASE("a persistent call under way is not started again") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  std::int64_t number = 0;
  Persistent persistent = planned.persistent(Request::bcast(planned.ranks(), 0, 1, 8), nullptr, &number, MPI_INT64_T);
  persistent.start();
  bool refused = false;
  try {
    persistent.start();
  } catch (const Error&) {
    refused = true;
  }
  persistent.wait();
  CHECK(agreed(refused));
}

TEST_CASE("what is under way when the collectives go away is completed") {
  std::int64_t number = -1;
  Pending pending;
  {
    PlannedCollectives planned(MPI_COMM_WORLD, planner);
    if (planned.rank() == 0) number = 7;
    pending = planned.start(Request::bcast(planned.ranks(), 0, 1, 8), nullptr, &number, MPI_INT64_T);
  }
  CHECK(agreed(pending.test() && number == 7));
}

TEST_CASE("a message in a lane with a window counts as under way until it is received") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  std::array<std::int64_t, 2> numbers{};
  if (planned.rank() == 0) numbers = {7, 8};
  // Two messages to each rank, one at a time.
  const Plan plan(Request::bcast(planned.ranks(), 0, 2, 8), bcast_binary, {.segment_bytes = 8, .window = 1});
  Pending pending;
  bool early = false;
  if (planned.rank() == 0) {
    pending = planned.start(plan, nullptr, numbers.data(), MPI_INT64_T);
    for (int test = 0; test < 10; ++test) early = early || pending.test();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (planned.rank() != 0) pending = planned.start(plan, nullptr, numbers.data(), MPI_INT64_T);
  pending.wait();
  CHECK(agreed(numbers[0] == 7 && numbers[1] == 8 && early == (planned.rank() == 0 && planned.ranks() == 1)));
}
