// Scans by halving: in order, within the time of a reduce_scatter and an allgather, in little scratch.

#include <algorithm>
#include <bit>

#include <catch2/catch.hpp>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

#include "support/sanitized.hpp"

using namespace tombolo;

namespace {

constexpr const Algorithm* both[] = {&scan_recursive_halving, &exscan_recursive_halving};

// Combining takes hardly any time: less than a microsecond in all.
const Hockney network({.latency = 50'000'000, .rate = 125'000'000, .memory_rate = std::int64_t{1} << 60});
constexpr Picoseconds combining = 1'000'000;

}  // namespace

TEST_CASE("scans by halving keep the order of operands, whatever the number of ranks and elements") {
  const int most = test::sanitized() ? 17 : 130;
  for (int ranks = 1; ranks <= most; ++ranks) {
    for (const Algorithm* algorithm : both) {
      for (const std::int64_t count : {0, 1, 2, 5, 37, 1000}) {
        const Request request = Request::of_vector(algorithm->operation, ranks, 0, count, 8).combining(false);
        for (const bool in_place : {false, true}) {
          const Plan plan(request.with_in_place(in_place), *algorithm);
          const Proof proof = prove(plan);
          if (!proof.holds()) FAIL(plan.describe() << ", " << count << " elements: " << *proof.fault);
        }
      }
    }
  }
}

TEST_CASE("a scan by halving takes as long as a reduce_scatter and an allgather over powers of two") {
  const Bytes bytes = Bytes{1} << 20;
  for (const int ranks : {2, 4, 8, 16, 64, 256}) {
    const std::int64_t rounds = std::bit_width(static_cast<unsigned>(ranks) - 1);
    const Picoseconds most = 2 * (rounds * network.time(0) + network.time(bytes - bytes / ranks) - network.time(0));
    for (const Algorithm* algorithm : both) {
      const Plan plan(Request::of_vector(algorithm->operation, ranks, 0, bytes / 8, 8), *algorithm);
      CHECK(makespan(plan, network) <= most + combining);
    }
  }
}

TEST_CASE("units that are left over cost one message a level at most") {
  const std::int64_t count = 1 << 17;
  for (int ranks = 3; ranks <= 70; ++ranks) {
    for (const Algorithm* algorithm : both) {
      const Request request = Request::of_vector(algorithm->operation, ranks, 0, count, 8);
      Picoseconds most = 0;
      for (const RegularRounds& each : algorithm->regular(request, {}))
        most += each.number * network.time(each.sent * 8);
      INFO(ranks);
      CHECK(makespan(Plan(request, *algorithm), network) <= most + combining);
    }
  }
}

TEST_CASE("long elements, for whose halves no scratch would suffice, are scanned along a chain") {
  for (const Algorithm* algorithm : both) {
    const Request request = Request::of_vector(algorithm->operation, 40, 0, 3, Bytes{1} << 20);
    CHECK(prove(Plan(request, *algorithm)).holds());
    const Algorithm& chain = algorithm == &scan_recursive_halving ? scan_chain : exscan_chain;
    CHECK(longest_chain(Plan(request, *algorithm)) == longest_chain(Plan(request, chain)));
  }
}
