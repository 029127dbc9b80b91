// The census takes the time of the optimum for whole vectors, for any number of ranks.

#include <bit>
#include <utility>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

using namespace tombolo;

namespace {

// Combining takes hardly any time.
const Hockney network({.latency = 50'000'000, .rate = 125'000'000, .memory_rate = std::int64_t{1} << 60});

}  // namespace

TEST_CASE("an allreduce by census takes one whole vector in each of ceil(log2(ranks)) rounds") {
  for (int ranks = 2; ranks <= 130; ++ranks) {
    const Request request = Request::of_vector(Operation::allreduce, ranks, 0, 1000, 8);
    const Plan plan(request, allreduce_census);
    const auto rounds = static_cast<Picoseconds>(std::bit_width(static_cast<unsigned>(ranks) - 1));
    const Picoseconds combining = (2 * rounds + 1) * network.local(8000);
    CHECK(makespan(plan, network) <= rounds * network.time(8000) + combining);
    CHECK(static_cast<std::size_t>(rounds) == allreduce_census.regular(request, {}).size());
  }
}

TEST_CASE("every rank of a census needs scratch for one vector, for two if rounds are odd") {
  for (const auto& [ranks, vectors] : {std::pair(2, 1), {3, 2}, {4, 1}, {5, 2}, {6, 2}, {64, 1}, {100, 2}}) {
    const Plan plan(Request::of_vector(Operation::allreduce, ranks, 0, 10, 8), allreduce_census);
    for (Rank rank = 0; rank < ranks; ++rank) CHECK(plan.schedule(rank).scratch() == vectors * 10);
  }
}

TEST_CASE("a planner that is to give same bits takes no census") {
  const Request request = Request::of_vector(Operation::allreduce, 7, 0, 500, 8);
  Planner any(network);
  CHECK(&any.choice(request).plan.algorithm() == &allreduce_census);
  Planner same(network);
  same.give_same_bits();
  CHECK_FALSE(same.choice(request).plan.algorithm().ranks_differ);
}
