// Every algorithm in the list is executed and its results compared with what the operation promises, for every root. A
// new one is executed here by being in algorithms.def. The wide sweep over rank counts is the prover's.

#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/operations/contract.hpp>

#include "collectives/random_trees.hpp"
#include "collectives/requests.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::Spread;

namespace {

const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));

/// What element `index` of rank `rank` is in these tests.
std::int64_t value(Rank rank, std::int64_t index) {
  return (std::int64_t{rank} + 1) * 1'000'003 + index * 7;
}

std::int64_t value(const Symbol& symbol, std::int64_t further) {
  std::int64_t sum = 0;
  for (const RankRange& range : symbol.ranks) {
    for (Rank rank = range.first; rank <= range.last; ++rank) sum += value(rank, symbol.index + further);
  }
  return sum;
}

/// A rank's buffers filled by the contract, so that this test needs to know no operation.
struct Buffers {
  explicit Buffers(const Contract& contract)
      : input(static_cast<std::size_t>(contract.input_size), -1),
        output(static_cast<std::size_t>(contract.output_size), -1) {
    for (const Content& content : contract.before) {
      for (std::int64_t i = 0; i < content.piece.count; ++i) at(content.piece, i) = value(content.first, i);
    }
  }
  std::int64_t& at(const BufferRange& piece, std::int64_t i) {
    return (piece.buffer == Buffer::input ? input : output)[static_cast<std::size_t>(piece.offset + i)];
  }
  bool holds(const Contract& contract) {
    for (const Content& content : contract.after) {
      for (std::int64_t i = 0; i < content.piece.count; ++i) {
        if (at(content.piece, i) != value(content.first, i)) return false;
      }
    }
    return true;
  }
  std::vector<std::int64_t> input;
  std::vector<std::int64_t> output;
};

bool runs(PlannedCollectives& planned, const Plan& plan) {
  const Contract promised = contract(plan.request(), planned.rank());
  Buffers buffers(promised);
  const Request seen = plan.request().seen_by(planned.rank());
  planned.run(Plan(seen, plan.algorithm(), plan.parameters()), buffers.input.data(), buffers.output.data(), MPI_INT64_T,
              MPI_SUM);
  return buffers.holds(promised);
}

}  // namespace

TEST_CASE("every algorithm does what its operation promises, whatever the root") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  for (const Algorithm* algorithm : all_algorithms()) {
    std::mt19937 random(17);
    const Rank roots = is_rooted(algorithm->operation) ? ranks : 1;
    const Rank step = roots > 13 ? (roots - 1) / 3 : 1;  // of many ranks some, the first and the last among them
    for (Rank root = 0; root < roots; root += step) {
      bool good = true;
      for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven}) {
        const Request request = test::request(algorithm->operation, ranks, root, spread, random);
        good = runs(planned, Plan(request, *algorithm)) && good;
        const Request as_in_mpi = request.knowing(Knowledge::as_in_mpi);
        if (algorithm->suits(as_in_mpi)) good = runs(planned, Plan(as_in_mpi, *algorithm)) && good;
        if (algorithm->learn != nullptr) {
          for (const Bytes bytes : {1, 100}) {
            good = runs(planned, Plan(as_in_mpi, *algorithm, {.direct_above = bytes})) && good;
          }
        }
        if (sizes(algorithm->operation) == Sizes::blocks || combines(algorithm->operation)) {
          good = runs(planned, Plan(request.with_in_place(true), *algorithm)) && good;
        }
      }
      INFO(name(algorithm->operation) << " " << algorithm->name << " root " << root);
      CHECK(agreed(good));
    }
  }
}

TEST_CASE("segments, windows and other orders of the ranks change nothing") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  const Rank root = ranks - 1;
  std::vector<Rank> order(static_cast<std::size_t>(ranks));
  std::iota(order.rbegin(), order.rend(), 0);  // the root first, then downwards
  std::mt19937 random(23);
  for (const Algorithm* algorithm : all_algorithms()) {
    Request request =
        test::request(algorithm->operation, ranks, is_rooted(algorithm->operation) ? root : 0, Spread::uneven, random);
    bool good = runs(planned, Plan(request, *algorithm, {.segment_bytes = 24, .window = 2}));
    good = runs(planned, Plan(request, *algorithm, {.segment_bytes = 100, .window = 1})) && good;
    if (request.root == root) {
      good = runs(planned, Plan(request, *algorithm, {.segment_bytes = 0, .window = 0, .order = order})) && good;
    }
    INFO(name(algorithm->operation) << " " << algorithm->name);
    CHECK(agreed(good));
  }
}

TEST_CASE("messages over detours arrive, whatever the algorithm") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  std::mt19937 random(29);
  for (const Algorithm* algorithm : all_algorithms()) {
    bool good = true;
    for (const Spread spread : {Spread::equal, Spread::uneven}) {
      const Rank root = is_rooted(algorithm->operation) ? ranks / 2 : 0;
      const Request request = test::request(algorithm->operation, ranks, root, spread, random);
      const Detours detours = test::random_detours(ranks, 5, random);
      good = runs(planned, Plan(request, *algorithm, {.detours = detours})) && good;
      good = runs(planned, Plan(request, *algorithm, {.segment_bytes = 24, .window = 2, .detours = detours})) && good;
    }
    INFO(name(algorithm->operation) << " " << algorithm->name);
    CHECK(agreed(good));
  }
}

TEST_CASE("a barrier lets nobody through before all have come") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  // Rank r comes last in round r; whoever leaves a barrier must find that everybody's counter has arrived.
  MPI_Win window = MPI_WIN_NULL;
  int* counter = nullptr;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
  *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  bool good = true;
  MPI_Win_lock_all(0, window);
  for (int round = 0; round < planned.ranks(); ++round) {
    if (round == planned.rank()) {
      constexpr timespec pause{0, 20'000'000};
      nanosleep(&pause, nullptr);
      const int one = round + 1;
      MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
      MPI_Win_flush(0, window);
    }
    planned.barrier();
    int seen = 0;
    const int nothing = 0;
    MPI_Fetch_and_op(&nothing, &seen, MPI_INT, 0, 0, MPI_NO_OP, window);
    MPI_Win_flush(0, window);
    good = good && seen >= round + 1;
    planned.barrier();
  }
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  CHECK(agreed(good));
}
