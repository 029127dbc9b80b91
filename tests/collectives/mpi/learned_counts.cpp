// gatherv and scatterv whose counts only the root knows, as MPI has them, through the planner's own choice.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/planned.hpp>

#include "models/figured_platform.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

using Numbers = std::vector<std::int64_t>;

/// Each rank on a host of its own; every message costs the root far more than the other ranks, so few ought to be its.
Platform with_slow(int ranks, Rank root) {
  Platform platform = with_figures(flat_cluster(ranks), 1);
  Processor& slow = platform.processors[static_cast<std::size_t>(root)];
  slow.send_overhead = 10'000'000'000;
  slow.receive_overhead = 10'000'000'000;
  return platform;
}

/// Block sizes around the limit above which blocks go directly; a different one on each rank, with empty ones.
Blocks blocks(int ranks, int turn, std::int64_t limit) {
  const Numbers sizes{0, 1, limit, limit + 1, 3, 0, 2 * limit};
  Numbers counts;
  for (int rank = 0; rank < ranks; ++rank) counts.push_back(sizes[static_cast<std::size_t>(rank * 3 + turn) % 7]);
  return Blocks(counts);
}

Numbers block_of(Rank rank, const Blocks& all) {
  Numbers block;
  for (std::int64_t i = 0; i < all.count(rank); ++i) block.push_back(rank * 1'000'000 + i);
  return block;
}

bool goes_both_ways(PlannedCollectives& planned, const Blocks& all, Rank root, bool in_place) {
  const Rank me = planned.rank();
  const Request request = Request::gatherv(root, all, 8).knowing(Knowledge::as_in_mpi).seen_by(me);
  Numbers whole;
  for (Rank rank = 0; rank < planned.ranks(); ++rank) {
    const Numbers block = block_of(rank, all);
    whole.insert(whole.end(), block.begin(), block.end());
  }
  const bool at_place = in_place && me == root;
  Numbers gathered = at_place ? whole : Numbers(whole.size(), -1);
  const Numbers mine = block_of(me, all);
  planned.gatherv(at_place ? MPI_IN_PLACE : mine.data(), request.blocks, gathered.data(), MPI_INT64_T, root,
                  Knowledge::as_in_mpi);
  Numbers scattered(mine.size(), -1);
  planned.scatterv(whole.data(), request.blocks, at_place ? MPI_IN_PLACE : scattered.data(), MPI_INT64_T, root,
                   Knowledge::as_in_mpi);
  return (me != root || gathered == whole) && (at_place || scattered == mine);
}

}  // namespace

TEST_CASE("counts that the root alone knows: any root, empty and uneven blocks on either side of the limit") {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const Rank root : {0, ranks / 2, ranks - 1}) {
    const auto planner = std::make_shared<Planner>(with_slow(ranks, root));
    PlannedCollectives planned(MPI_COMM_WORLD, planner);
    const Request any = Request::gatherv(root, Blocks::equal(ranks, 1), 8).knowing(Knowledge::as_in_mpi);
    const Plan plan = planner->plan(any.seen_by(planned.rank()));
    if (ranks >= 5) CHECK(agreed(plan.learns()));
    const std::int64_t limit = std::max<std::int64_t>(plan.parameters().direct_above / 8, 4);
    bool good = true;
    for (int turn = 0; turn < 7; ++turn) {
      for (int time = 0; time < 2; ++time) {  // the second time, what was learned is known
        good = goes_both_ways(planned, blocks(ranks, turn, limit), root, turn % 2 == 1) && good;
      }
    }
    good = goes_both_ways(planned, Blocks::equal(ranks, 0), root, false) && good;
    CHECK(agreed(good));
  }
}

TEST_CASE("several calls that learn counts are under way at a time") {
  int ranks = 0;
  int me = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const auto planner = std::make_shared<Planner>(with_slow(ranks, 0));
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  constexpr int calls = 5;
  std::vector<Numbers> mine;
  std::vector<Numbers> gathered;
  std::vector<Pending> pending;
  for (int call = 0; call < calls; ++call) {
    const Blocks all = blocks(ranks, call, 10);
    mine.push_back(block_of(me, all));
    gathered.emplace_back(static_cast<std::size_t>(all.total()), -1);
  }
  for (int call = 0; call < calls; ++call) {
    const auto number = static_cast<std::size_t>(call);
    const Request request = Request::gatherv(0, blocks(ranks, call, 10), 8).knowing(Knowledge::as_in_mpi).seen_by(me);
    pending.push_back(planned.start(request, mine[number].data(), gathered[number].data(), MPI_INT64_T));
  }
  pending.clear();
  bool good = true;
  for (int call = 0; call < calls && me == 0; ++call) {
    const Blocks all = blocks(ranks, call, 10);
    for (Rank rank = 0; rank < ranks; ++rank) {
      const Numbers block = block_of(rank, all);
      const auto at = gathered[static_cast<std::size_t>(call)].begin() + all.offset(rank);
      good = good && std::equal(block.begin(), block.end(), at);
    }
  }
  CHECK(agreed(good));
}
