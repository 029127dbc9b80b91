// Who carries out a call, the plan or MPI's own collective, as the planner decides.

#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/planned.hpp>

#include "collectives/tunings.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

Tuning all_reduced_by(Backend backend, int ranks) {
  Tuning tuning(test::hosts(ranks));
  Decision decision = test::flat(Operation::allreduce, 0, 8);
  decision.backend = backend;
  tuning.keep(decision);
  return tuning;
}

}  // namespace

TEST_CASE("calls give the same whoever carries them out, decided before and after the first one") {
  const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  const int ranks = planned.ranks();
  const std::int64_t expected = std::int64_t{ranks} * (ranks - 1) / 2;
  for (const std::int64_t count : {1, 3}) {
    const Request request = Request::allreduce(ranks, count, 8);
    std::vector<std::int64_t> mine(static_cast<std::size_t>(count), planned.rank());
    std::vector<std::int64_t> sum(mine.size());
    bool good = true;
    for (const Backend backend : {Backend::plan, Backend::native, Backend::plan}) {
      planner->use(all_reduced_by(backend, ranks));
      good = good && (planner->blocking(request, planned.rank()) == nullptr) == (backend == Backend::native);
      good = good && planner->blocking(Request::bcast(ranks, 0, count, 8), planned.rank()) != nullptr;
      planned.allreduce(mine.data(), sum.data(), count, MPI_INT64_T, MPI_SUM);
      good = good && sum == std::vector<std::int64_t>(mine.size(), expected);
      std::vector<std::int64_t> in_place = mine;
      planned.allreduce(MPI_IN_PLACE, in_place.data(), count, MPI_INT64_T, MPI_SUM);
      good = good && in_place == sum;
    }
    CHECK(agreed(good));
  }
}

TEST_CASE("calls that were started are carried out by plans, whatever was decided for blocking ones") {
  const auto planner = std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}));
  PlannedCollectives planned(MPI_COMM_WORLD, planner);
  planner->use(all_reduced_by(Backend::native, planned.ranks()));
  const std::int64_t one = 1;
  std::int64_t sum = 0;
  planned.start(Request::allreduce(planned.ranks(), 1, 8), &one, &sum, MPI_INT64_T, MPI_SUM).wait();
  CHECK(agreed(sum == planned.ranks() && planned.plan_for(Request::allreduce(planned.ranks(), 1, 8)).algorithm().name ==
                                             algorithms_for(Operation::allreduce).front()->name));
}
