// Every algorithm in the list is proved for many rank counts, all roots and all kinds of sizes. A new one is proved
// here by being in algorithms.def.

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/collectives/prove/prove.hpp>

#include "collectives/requests.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const int most_ranks = test::sanitized() ? 9 : 64;
const int all_roots_up_to = test::sanitized() ? 5 : 24;
constexpr Spread spreads[] = {Spread::none, Spread::equal, Spread::uneven, Spread::one};

// All of them, or those that differ most.
std::vector<Rank> roots_of(Operation operation, int ranks) {
  if (!is_rooted(operation)) return {0};
  if (ranks > all_roots_up_to) return {0, 1, ranks / 2, ranks - 1};
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Proves all that may be varied about a request, so that a failure names the plan.
void prove_variants(const Algorithm& algorithm, const Request& request, std::mt19937& random) {
  if (!algorithm.suits(request)) return;
  std::vector<Parameters> parameters{{}, {.segment_bytes = 0, .window = 1}};
  if (algorithm.heeds(Parameter::segment_bytes)) {
    parameters.push_back({.segment_bytes = 100});
    parameters.push_back({.segment_bytes = 64, .window = 2});
  }
  if (algorithm.radix > 0) {
    for (const int radix : {algorithm.least_radix, 3, 5, 16}) {
      parameters.push_back({.segment_bytes = 100, .radix = radix});
    }
  }
  if (algorithm.heeds(Parameter::delay)) {
    for (const int delay : {1, 4, 9}) parameters.push_back({.segment_bytes = 100, .delay = delay});
  }
  if (algorithm.heeds(Parameter::channels)) {
    for (const int window : {1, 3})
      parameters.push_back({.segment_bytes = 64, .window = window, .channels = Channels::per_rank});
  }
  if (algorithm.heeds(Parameter::rates)) {
    std::vector<std::int64_t> rates(static_cast<std::size_t>(request.ranks));
    for (auto& rate : rates) rate = static_cast<std::int64_t>(random() % 5 + 1);
    parameters.push_back({.segment_bytes = 64, .window = 3, .channels = Channels::per_rank, .rates = rates});
  }
  if (algorithm.learn != nullptr) {
    parameters.push_back({.direct_above = 100});
    parameters.push_back({.segment_bytes = 64, .window = 2, .direct_above = 1});
  }
  for (const Parameters& p : parameters) {
    const Plan plan(request, algorithm, p);
    const Proof proof = prove(plan);
    if (!proof.holds()) FAIL(plan.describe() << ": " << *proof.fault);
  }
  // Another order of the ranks, the root first, as a mapping would choose.
  std::vector<Rank> order(static_cast<std::size_t>(request.ranks));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order.front(), order[static_cast<std::size_t>(request.root)]);
  std::shuffle(order.begin() + 1, order.end(), random);
  const Plan mapped(request, algorithm, {.segment_bytes = 0, .window = 0, .order = order});
  const Proof proof = prove(mapped);
  if (!proof.holds()) FAIL(mapped.describe() << ": " << *proof.fault);
}

}  // namespace

TEST_CASE("every algorithm is proved for up to 64 ranks, all roots of up to 24, zero, equal and uneven sizes") {
  for (const Algorithm* algorithm : all_algorithms()) {
    DYNAMIC_SECTION(name(algorithm->operation) << " " << algorithm->name) {
      std::mt19937 random(7);
      for (int ranks = 1; ranks <= most_ranks; ranks += ranks < 34 ? 1 : 6) {
        for (const Rank root : roots_of(algorithm->operation, ranks)) {
          for (const Spread spread : spreads) {
            const Request request = test::request(algorithm->operation, ranks, root, spread, random);
            const Proof proof = prove(Plan(request, *algorithm));
            if (!proof.holds()) FAIL(Plan(request, *algorithm).describe() << ": " << *proof.fault);
          }
        }
      }
      SUCCEED();
    }
  }
}

TEST_CASE("every algorithm is proved segmented, windowed, mapped, in place and with counts that only MPI gives") {
  for (const Algorithm* algorithm : all_algorithms()) {
    DYNAMIC_SECTION(name(algorithm->operation) << " " << algorithm->name) {
      std::mt19937 random(11);
      for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 11, 16, 23, 33}) {
        if (ranks > most_ranks) continue;
        for (const Rank root : roots_of(algorithm->operation, ranks)) {
          const Request request = test::request(algorithm->operation, ranks, root, Spread::uneven, random);
          prove_variants(*algorithm, request, random);
          prove_variants(*algorithm, request.knowing(Knowledge::as_in_mpi), random);
          if (algorithm->operation == Operation::barrier || algorithm->operation == Operation::bcast ||
              algorithm->operation == Operation::alltoallv) {
            continue;
          }
          prove_variants(*algorithm, request.with_in_place(true), random);
          if (!combines(algorithm->operation) || algorithm->needs_commutative) continue;
          const Request ordered = request.combining(false);
          prove_variants(*algorithm, ordered, random);
          prove_variants(*algorithm, ordered.with_in_place(true), random);
        }
      }
      SUCCEED();
    }
  }
}

TEST_CASE("plans of more than 2^31 elements are proved as fast as small ones") {
  constexpr std::int64_t huge = (std::int64_t{1} << 40) + 3;
  CHECK(prove(Plan(Request::bcast(5, 2, huge, 8), bcast_chain, {.segment_bytes = Bytes{1} << 36})).holds());
  CHECK(prove(Plan(Request::scatterv(1, Blocks({huge, 0, 3 * huge, 1}), 8), scatterv_binomial)).holds());
  CHECK(prove(Plan(Request::alltoallv(6, AlltoallCounts::equal(6, huge), 8), alltoallv_pairwise)).holds());
}

TEST_CASE("names of algorithms are unique within an operation, and every operation has one") {
  for (const Operation operation : all_operations()) {
    const auto found = algorithms_for(operation);
    std::set<std::string_view> names;
    for (const Algorithm* algorithm : found) {
      names.insert(algorithm->name);
      CHECK_FALSE(algorithm->summary.empty());
      CHECK(&find_algorithm(operation, algorithm->name) == algorithm);
    }
    CHECK_FALSE(found.empty());
    CHECK(names.size() == found.size());
  }
  CHECK_THROWS_WITH(find_algorithm(Operation::bcast, "teleport"),
                    Catch::Contains("'teleport'") && Catch::Contains("binomial"));
}
