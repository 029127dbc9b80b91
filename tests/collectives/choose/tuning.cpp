#include <algorithm>
#include <cstdint>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/request/regular.hpp>

#include "collectives/choose_by_model.hpp"
#include "collectives/requests.hpp"
#include "collectives/tunings.hpp"

using namespace tombolo;
using test::flat;
using test::hosts;
using test::Spread;

TEST_CASE("a request finds the decision of its operation and root whose size is nearest, within reach") {
  constexpr int ranks = 6;
  Tuning tuning(hosts(ranks));
  const std::vector<Bytes> tuned = {0, 64, 256, 1 << 20};
  for (const Operation operation : all_operations()) {
    for (const Bytes bytes : tuned) tuning.keep(flat(operation, is_rooted(operation) ? 2 : 0, bytes));
  }
  for (const Operation operation : all_operations()) {
    const Rank root = is_rooted(operation) ? 2 : 0;
    for (const Bytes bytes :
         {0, 1, 15, 16, 17, 64, 127, 128, 129, 256, 1024, 1025, 9999, 1 << 18, 1 << 20, 1 << 22, (1 << 22) + 1}) {
      const Request request = regular_request(operation, ranks, root, bytes);
      const Bytes wanted = regular_bytes(request);  // a barrier has none
      const Decision* const found = tuning.find(request);
      // Plainly: by ratios, all of which are exact here.
      const Decision* expected = nullptr;
      double least = static_cast<double>(Tuning::reach) + 1e-9;
      for (const Decision& each : tuning.decisions()) {
        if (each.operation != operation) continue;
        const auto [low, high] = std::minmax(each.bytes, wanted);
        const double ratio = high == 0 ? 1 : low == 0 ? 1e30 : static_cast<double>(high) / static_cast<double>(low);
        if (ratio < least) {
          least = ratio;
          expected = &each;
        }
      }
      INFO(name(operation) << " " << bytes);
      CHECK(found == expected);
      CHECK(tuning.find(request.with_in_place(true)) == found);
      if (is_rooted(operation)) CHECK(tuning.find(regular_request(operation, ranks, 1, bytes)) == nullptr);
      CHECK(tuning.find(regular_request(operation, ranks + 1, root, bytes)) == nullptr);
    }
  }
}

TEST_CASE("counts that differ or that not all ranks know are not decided about") {
  std::mt19937 random(3);
  for (const int ranks : {2, 3, 8}) {
    Tuning tuning(hosts(ranks));
    for (const Operation operation : all_operations()) {
      for (Bytes bytes = 1; bytes < 1 << 12; bytes *= 2) tuning.keep(flat(operation, 0, bytes));
      tuning.keep(flat(operation, 0, 0));
    }
    for (const Operation operation : all_operations()) {
      const bool counted = sizes(operation) == Sizes::blocks || sizes(operation) == Sizes::exchange;
      const Request equal = test::request(operation, ranks, 0, Spread::equal, random);
      if (sizes(operation) != Sizes::exchange) CHECK(tuning.find(equal) != nullptr);
      if (!counted || operation == Operation::reduce_scatter) continue;
      CHECK(tuning.find(test::request(operation, ranks, 0, Spread::one, random)) == nullptr);
      const Request seen = equal.knowing(Knowledge::as_in_mpi).seen_by(ranks - 1);
      if (seen.knowledge == Knowledge::as_in_mpi) CHECK(tuning.find(seen) == nullptr);
    }
    CHECK(tuning.find(Request::alltoallv(ranks, AlltoallCounts::equal(ranks, 9), 8)) != nullptr);
    CHECK(tuning.find(Request::reduce_scatter(Blocks::equal(ranks, 2), 8)) != nullptr);
  }
}

TEST_CASE("a decision whose algorithm does not take the request is passed over") {
  Tuning tuning(hosts(4));
  const auto reordering = [] {
    for (const Algorithm* algorithm : algorithms_for(Operation::allreduce)) {
      if (algorithm->needs_commutative) return std::string(algorithm->name);
    }
    return std::string();
  }();
  REQUIRE(!reordering.empty());
  tuning.keep({.operation = Operation::allreduce, .bytes = 800, .algorithm = reordering});
  tuning.keep({.operation = Operation::allreduce, .bytes = 1600, .algorithm = "recursive_doubling"});
  CHECK(tuning.find(Request::allreduce(4, 100, 8))->algorithm == reordering);
  CHECK(tuning.find(Request::allreduce(4, 100, 8, false))->algorithm == "recursive_doubling");
}

TEST_CASE("what was measured gives way only to what was measured") {
  Tuning tuning(hosts(2));
  Decision first = flat(Operation::bcast, 0, 64);
  CHECK(tuning.keep(first));
  first.measured = 5;
  CHECK(tuning.keep(first));
  Decision second = first;
  second.algorithm = "chain";
  second.measured.reset();
  CHECK_FALSE(tuning.keep(second));
  second.measured = 9;
  CHECK(tuning.keep(second));
  CHECK(tuning.decisions() == std::vector<Decision>{second});
}

TEST_CASE("a planner keeps to what was decided, for that request alone") {
  const Hockney hockney({.latency = 50'000'000, .rate = 125'000'000});
  const Request request = Request::bcast(8, 0, 1 << 20, 1);
  Planner planner(hockney);
  REQUIRE(planner.plan(request).algorithm().name != "flat");
  CHECK(planner.decision(request) == nullptr);
  Tuning tuning(hosts(8));
  tuning.keep(flat(Operation::bcast, 0, 1 << 20));
  planner.use(tuning);
  CHECK(planner.plan(request) == Plan(request, bcast_flat));
  CHECK(planner.decision(request)->bytes == 1 << 20);
  const Request far = Request::bcast(8, 0, 1 << 26, 1);
  CHECK(planner.plan(far) == choose(far, hockney));
  const Request other = Request::bcast(8, 1, 1 << 20, 1);
  CHECK(planner.plan(other) == choose(other, hockney));
}

TEST_CASE("other hosts, more of them and another order of ranks are refused") {
  const Tuning tuning(std::vector<std::string>{"a", "b", "b"});
  using Hosts = std::vector<std::string>;
  CHECK_NOTHROW(tuning.check_fits(Hosts{"a", "b", "b"}, "t.json"));
  CHECK_THROWS_WITH(tuning.check_fits(Hosts{"a", "b"}, "t.json"),
                    Catch::Contains("t.json was tuned for 3 ranks, and here are 2; make one"));
  CHECK_THROWS_WITH(tuning.check_fits(Hosts{"b", "a", "b"}, "t.json"),
                    Catch::Contains("t.json was tuned for other hosts or another order of ranks"));
}
