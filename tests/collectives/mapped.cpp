// What follows trees or groups that are written down is proved for any form of these; with none given, as every
// algorithm is (algorithms.cpp).

#include <catch2/catch.hpp>

#include <tombolo/collectives/prove/prove.hpp>

#include "mutations.hpp"
#include "random_trees.hpp"
#include "requests.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const int most_ranks = test::sanitized() ? 7 : 40;

std::vector<const Algorithm*> mapped_algorithms() {
  std::vector<const Algorithm*> all;
  for (const Algorithm* algorithm : all_algorithms()) {
    if (algorithm->is_mapped()) all.push_back(algorithm);
  }
  return all;
}

void check(const Plan& plan) {
  const Proof proof = prove(plan);
  if (!proof.holds()) FAIL(plan.describe() << ": " << *proof.fault);
}

// Trees or groups of any form that the algorithm takes: at most so many trees or levels, roots or groups.
Parameters random_topology(const Algorithm& algorithm, int ranks, Rank root, int several, int roots,
                           std::mt19937& random) {
  if (algorithm.follows_groups()) {
    const int levels = algorithm.mapped == Mapped::nested_groups ? several : 1;
    return {.groups = test::random_groups(levels, ranks, roots, random)};
  }
  const int trees = algorithm.follows_several_trees() ? several : 1;
  return {.trees = test::random_trees(trees, ranks, root, algorithm.follows_leaders() ? roots : 1, random)};
}

Parameters with(Parameters parameters, Bytes segment, int window, Channels channels, int radix) {
  parameters.segment_bytes = segment;
  parameters.window = window;
  parameters.channels = channels;
  parameters.radix = radix;
  return parameters;
}

void check_settings(const Request& request, const Algorithm& algorithm, const Parameters& mapped) {
  if (!algorithm.suits(request)) return;
  check(Plan(request, algorithm, mapped));
  check(Plan(request, algorithm, with(mapped, 64, 0, Channels::per_link, 0)));
  check(Plan(request, algorithm, with(mapped, 8, 1, Channels::per_rank, 0)));
  check(Plan(request, algorithm, with(mapped, 40, 2, Channels::per_link, 2)));
  if (algorithm.radix > 0) {
    check(Plan(request, algorithm, with(mapped, 0, 0, Channels::per_link, algorithm.least_radix)));
  }
  if (algorithm.learn != nullptr) {
    Parameters some = mapped;
    some.direct_above = 100;
    check(Plan(request, algorithm, some));
  }
}

}  // namespace

TEST_CASE("whatever follows trees or groups is proved over random ones with random weights, roots and sizes") {
  for (const Algorithm* algorithm : mapped_algorithms()) {
    DYNAMIC_SECTION(name(algorithm->operation) << " " << algorithm->name) {
      std::mt19937 random(5);
      for (int ranks = 1; ranks <= most_ranks; ranks += ranks < 12 ? 1 : 7) {
        for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven, Spread::one}) {
          const Rank root = is_rooted(algorithm->operation) ? static_cast<Rank>(random() % ranks) : 0;
          const int several = 1 + static_cast<int>(random() % 5);
          const int roots = 1 + static_cast<int>(random() % 7);
          const Request request = test::request(algorithm->operation, ranks, root, spread, random);
          const Parameters mapped = random_topology(*algorithm, ranks, root, several, roots, random);
          check_settings(request, *algorithm, mapped);
          check_settings(request.knowing(Knowledge::as_in_mpi), *algorithm, mapped);
          if (algorithm->operation != Operation::barrier && algorithm->operation != Operation::bcast) {
            check_settings(request.with_in_place(true), *algorithm, mapped);
          }
        }
      }
      SUCCEED();
    }
  }
}

TEST_CASE("every mutation of what follows random trees or groups is caught") {
  std::mt19937 random(9);
  int caught = 0;
  for (const Algorithm* algorithm : mapped_algorithms()) {
    for (const int ranks : test::sanitized() ? std::vector{2, 5} : std::vector{2, 5, 8}) {
      const Request request = test::request(algorithm->operation, ranks, 0, Spread::equal, random);
      Parameters mapped = random_topology(*algorithm, ranks, 0, 3, ranks / 2, random);
      mapped.segment_bytes = 128;
      const Plan plan(request, *algorithm, mapped);
      std::vector<Schedule> good;
      for (Rank rank = 0; rank < ranks; ++rank) good.push_back(plan.schedule(rank));
      test::for_each_mutant(good, [&](const test::Mutant& mutant) {
        if (prove(request, mutant.schedules).holds()) FAIL("not caught in " << plan.describe() << ": " << mutant.what);
        ++caught;
      });
    }
  }
  CHECK(caught > 1000);
}

TEST_CASE("leaders of large vectors exchange in groups as large as scratch has room for") {
  std::mt19937 random(3);
  for (const int tops : {2, 3, 7, 20}) {
    const MappedTrees trees = test::random_trees(1, 24, 3, tops, random);
    const Request request = Request::allreduce(24, 1 << 20, 8);
    check(Plan(request, allreduce_leaders, {.trees = trees}));
    check(Plan(request.with_in_place(true), allreduce_leaders, {.radix = 3, .trees = trees}));
    // Parts of which some ranks lead large ones, some small.
    check(Plan(request, allreduce_leaders, {.trees = test::random_trees(5, 24, 3, tops, random)}));
    check(Plan(request, allreduce_leaders,
               {.segment_bytes = 1 << 20, .window = 2, .trees = test::random_trees(5, 24, 3, tops, random)}));
  }
}

TEST_CASE("leaders cross between trees once each way") {
  std::mt19937 random(2);
  const MappedTrees trees = test::random_trees(1, 30, 0, 5, random);
  // 25 up, 25 down, each of five tops to four others.
  CHECK(prove(Plan(Request::barrier(30), barrier_leaders, {.trees = trees})).messages == 70);
  CHECK(prove(Plan(Request::allreduce(30, 10, 8), allreduce_leaders, {.trees = trees})).messages == 70);
}
