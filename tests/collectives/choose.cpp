#include <algorithm>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/models/hockney.hpp>

#include "requests.hpp"

using namespace tombolo;
using test::Spread;

namespace {
const Hockney model({.latency = 50'000'000, .rate = 125'000'000});
}

TEST_CASE("the chosen plan is predicted to be the fastest of all candidates, which are in order") {
  std::mt19937 random(1);
  for (const Operation operation : all_operations()) {
    const Request request = test::request(operation, 12, 5, Spread::uneven, random);
    const auto all = candidates(request, model);
    CHECK(all.size() >= algorithms_for(operation).size());
    CHECK(std::is_sorted(all.begin(), all.end(),
                         [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; }));
    CHECK(choose(request, model) == all.front().plan);
  }
}

TEST_CASE("small vectors go down a tree in whole, large ones through a chain in segments") {
  CHECK(choose(Request::bcast(16, 0, 8, 1), model).algorithm().name == "binomial");
  const Plan large = choose(Request::bcast(16, 0, 64 << 20, 1), model);
  CHECK(large.algorithm().name == "chain");
  CHECK(large.parameters().segment_bytes > 0);
}

TEST_CASE("what only the root knows does not decide") {
  for (const std::int64_t block : {1, 1000, 1'000'000}) {
    const Request request = Request::scatterv(3, Blocks::equal(9, block), 8);
    const Plan at_root = choose(request.with_in_place(true), model);
    const Plan elsewhere = choose(request, model);
    CHECK(&at_root.algorithm() == &elsewhere.algorithm());
    CHECK(at_root.parameters() == elsewhere.parameters());
    CHECK(at_root.request().in_place);
  }
  // Counts as MPI gives them: every rank sees others, and all choose alike.
  const Request request = Request::gatherv(0, Blocks({5, 1000, 3, 0}), 8).knowing(Knowledge::as_in_mpi);
  for (Rank rank = 0; rank < 4; ++rank) {
    CHECK(&choose(request.seen_by(rank), model).algorithm() == &choose(request, model).algorithm());
  }
}

TEST_CASE("huge vectors and many ranks are chosen for without simulating too many steps") {
  CHECK_NOTHROW(choose(Request::bcast(512, 0, std::int64_t{1} << 40, 1), model));
}
