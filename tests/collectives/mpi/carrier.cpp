// Who carries out a call: the plan, or MPI's own collective.

#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));

int calls = 0;

void count_calls(void*, void* inout, int* count, MPI_Datatype*) {  // NOLINT(readability-non-const-parameter): MPI's
  ++calls;
  auto* const out = static_cast<std::int64_t*>(inout);
  for (int i = 0; i < *count; ++i) out[i] = 0;
}

}  // namespace

TEST_CASE("a decision is for all sizes alike in what all ranks know, and can be taken back") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  const Request reduce = Request::reduce(ranks, 0, 10, 8);
  CHECK(planned.carrier(reduce) == Carrier::plan);
  planned.decide(reduce, Carrier::native);
  CHECK(planned.carrier(reduce) == Carrier::native);
  CHECK(planned.carrier(reduce.with_in_place(true)) == Carrier::native);
  CHECK(planned.carrier(Request::reduce(ranks, 0, 11, 8)) == Carrier::plan);
  CHECK(planned.carrier(Request::reduce(ranks, 0, 10, 8, false)) == Carrier::plan);
  planned.decide(reduce.with_in_place(true), Carrier::plan);
  CHECK(planned.carrier(reduce) == Carrier::plan);

  // Of counts as in MPI, ranks know different ones; a decision is for all of them.
  const auto gather = [&](std::int64_t count) {
    return Request::gatherv(0, Blocks::equal(ranks, count), 8).knowing(Knowledge::as_in_mpi).seen_by(planned.rank());
  };
  planned.decide(gather(3), Carrier::native);
  CHECK(planned.carrier(gather(5)) == Carrier::native);
  CHECK(planned.carrier(Request::gatherv(0, Blocks::equal(ranks, 3), 8)) == Carrier::plan);
  const Request exchange = Request::alltoallv(ranks, Exchange::equal(ranks, 1), 8).knowing(Knowledge::as_in_mpi);
  planned.decide(exchange.seen_by(planned.rank()), Carrier::native);
  CHECK(planned.carrier(exchange.seen_by(planned.rank())) == Carrier::native);
}

TEST_CASE("calls give the same whoever carries them out, decided before and after the first one") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  const std::int64_t expected = std::int64_t{ranks} * (ranks - 1) / 2;
  for (const std::int64_t count : {1, 5}) {
    std::vector<std::int64_t> mine(static_cast<std::size_t>(count), planned.rank());
    std::vector<std::int64_t> sum(mine.size());
    bool good = true;
    for (const Carrier carrier : {Carrier::plan, Carrier::native, Carrier::plan}) {
      planned.decide(Request::allreduce(ranks, count, 8), carrier);
      planned.allreduce(mine.data(), sum.data(), count, MPI_INT64_T, MPI_SUM);
      good = good && sum == std::vector<std::int64_t>(mine.size(), expected);
      std::vector<std::int64_t> in_place = mine;
      planned.allreduce(MPI_IN_PLACE, in_place.data(), count, MPI_INT64_T, MPI_SUM);
      good = good && in_place == sum;
    }
    CHECK(agreed(good));
  }
}

TEST_CASE("a race decides for one of the two, the same on all ranks") {
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(count_calls, 1, &op);
  const std::vector<Request> requests = {Request::barrier(ranks), Request::bcast(ranks, 0, 100, 8),
                                         Request::allreduce(ranks, 10, 8),
                                         Request::gatherv(ranks - 1, Blocks::equal(ranks, 3), 8).with_in_place(true),
                                         Request::alltoallv(ranks, Exchange::equal(ranks, 2), 8)};
  for (const Request& request : requests) {
    const Carrier better = planned.settle(request, MPI_INT64_T, combines(request.operation) ? op : MPI_OP_NULL, 2);
    const std::vector<int> all = of_all_ranks(MPI_COMM_WORLD, static_cast<int>(better));
    CHECK(agreed(all == std::vector<int>(all.size(), static_cast<int>(better)) && planned.carrier(request) == better));
  }
  MPI_Op_free(&op);
  bool refused = false;
  try {
    planned.settle(Request::gatherv(0, Blocks::equal(ranks, 3), 8).knowing(Knowledge::as_in_mpi), MPI_INT64_T);
  } catch (const Error&) {
    refused = true;
  }
  CHECK(agreed(refused));
}
