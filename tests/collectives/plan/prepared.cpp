#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/prepared.hpp>

using namespace tombolo;

namespace {

PreparedSchedule prepared(const Request& request, const Algorithm& algorithm, Rank rank, Parameters parameters = {}) {
  return {Plan(request, algorithm, std::move(parameters)).schedule(rank), request.element_bytes};
}

}  // namespace

TEST_CASE("schedules in which one thing follows another run in rounds") {
  const Request bcast = Request::bcast(4, 0, 10, 8);
  const PreparedSchedule leaf = prepared(bcast, bcast_chain, 3);
  CHECK(leaf.in_rounds());
  CHECK(leaf.rounds().size() == 1);
  CHECK(leaf.tags() == 1);
  CHECK(leaf.largest() == 10);
  CHECK(prepared(bcast, bcast_chain, 1).rounds().size() == 2);
  CHECK(prepared(Request::bcast(1, 0, 10, 8), bcast_chain, 0).in_rounds());
  // Two messages at a time are for non-blocking calls, but for one each way.
  CHECK_FALSE(prepared(bcast, bcast_flat, 0).in_rounds());
  CHECK_FALSE(prepared(bcast, bcast_chain, 1, {.segment_bytes = 8}).in_rounds());
  const PreparedSchedule pair = prepared(Request::barrier(2), barrier_dissemination, 0);
  CHECK(pair.in_rounds());
  CHECK(pair.rounds().size() == 1);
  CHECK_FALSE(prepared(Request::barrier(3), barrier_dissemination, 0).in_rounds());
}

TEST_CASE("what was learned is prepared once for the same counts") {
  const Request request = Request::gatherv(0, Blocks({1, 2, 3, 4}), 8).knowing(Knowledge::as_in_mpi);
  const PreparedPlan inner(Plan(request.seen_by(2), gatherv_chain), 2);
  CHECK(inner.plan.learns());
  const auto learned = inner.learned({Blocks::unknown, Blocks::unknown, 3, 4});
  CHECK(learned->schedule().scratch() == 4);
  CHECK(inner.learned({Blocks::unknown, Blocks::unknown, 3, 4}) == learned);
  CHECK(inner.learned({Blocks::unknown, Blocks::unknown, 3, 5})->schedule().scratch() == 5);
}

TEST_CASE("small messages of several pieces have room to be put together in, after the scratch") {
  const PreparedSchedule none = prepared(Request::bcast(4, 0, 10, 8), bcast_chain, 1);
  CHECK(none.scratch_with_staged() == 0);
  CHECK(none.staged(0).count == 0);
  // Rank 1 passes on its own block and those of the ranks beyond in one message.
  const auto gather = [](std::int64_t each) {
    return prepared(Request::gatherv(0, Blocks::equal(4, each), 8), gatherv_chain, 1);
  };
  const PreparedSchedule small = gather(10);
  std::int64_t staged = 0;
  for (StepId id = 0; id < small.schedule().size(); ++id) {
    const BufferRange room = small.staged(id);
    if (room.count == 0) continue;
    CHECK(room == BufferRange{Buffer::scratch, small.schedule().scratch() + staged, small.schedule().step(id).count});
    staged += room.count;
  }
  CHECK(staged == 30);
  CHECK(small.scratch_with_staged() == small.schedule().scratch() + 30);
  CHECK(gather(1'000'000).scratch_with_staged() == 0);
}
