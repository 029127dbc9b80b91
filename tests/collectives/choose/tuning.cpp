#include <algorithm>
#include <cstdint>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/choose/tuning.hpp>
#include <tombolo/collectives/request/regular.hpp>

#include "collectives/choose_by_model.hpp"
#include "collectives/requests.hpp"
#include "collectives/tunings.hpp"
#include "models/figured_platform.hpp"
#include "support/sanitized.hpp"

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

namespace {

// Of these, in the order of algorithms.def, the times stand for what is predicted.
std::vector<Candidate> predicted(Picoseconds flat, Picoseconds binomial, Picoseconds chain) {
  const Request request = Request::bcast(4, 1, 100, 1);
  std::vector<Candidate> all = {{Plan(request, bcast_flat), flat},
                                {Plan(request, bcast_binomial), binomial},
                                {Plan(request, bcast_chain), chain}};
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.predicted < b.predicted; });
  return all;
}

}  // namespace

TEST_CASE("contenders are the best of several algorithms, a flat one always among them") {
  Planner planner(with_figures(clusters_of_hosts({{1, 1, 1}, {1, 1}, {1, 1, 1}}), 1));
  for (const Operation operation : {Operation::bcast, Operation::barrier, Operation::gatherv, Operation::allreduce}) {
    for (const Bytes bytes : {8, 1 << 17}) {
      Request request = Request::barrier(8);
      if (operation == Operation::bcast) request = Request::bcast(8, 2, bytes, 1);
      if (operation == Operation::gatherv) request = Request::gatherv(2, Blocks::equal(8, bytes), 1);
      if (operation == Operation::allreduce) request = Request::allreduce(8, bytes / 8, 8);
      const Candidate chosen = planner.candidates(request).front();
      for (const int most : test::sanitized() ? std::vector{3} : std::vector{1, 3, 100}) {
        const std::vector<Candidate> all = contenders(request, planner, most);
        std::set<const Algorithm*> different;
        for (const Candidate& each : all) {
          different.insert(&each.plan.algorithm());
          CHECK_FALSE(each.plan.algorithm().baseline);
          CHECK(each.predicted >= all.front().predicted);
        }
        CHECK(different.size() == all.size());
        CHECK(different.contains(algorithms_for(operation).front()));
        CHECK(different.contains(&chosen.plan.algorithm()));
        CHECK(static_cast<int>(all.size()) <= most + 1);
        // A closer look, in which what is within 1 % is alike.
        CHECK(all.front().predicted <= chosen.predicted + chosen.predicted / 100);
      }
    }
  }
}

TEST_CASE("without measurements the best prediction decides, the simpler one where they are alike") {
  CHECK(decide(predicted(1000, 900, 800)).algorithm == "chain");
  CHECK(decide(predicted(1000, 806, 800)).algorithm == "binomial");
  CHECK(decide(predicted(806, 805, 800)).algorithm == "flat");
  const Decision decision = decide(predicted(1000, 900, 800));
  CHECK((decision.root == 1 && decision.bytes == 100 && decision.predicted == 800));
  CHECK((!decision.measured && !decision.native && decision.backend == Backend::plan));
}

TEST_CASE("the fastest is kept; of those within 2 % the better predicted; MPI's own where no plan comes near") {
  const std::vector<Candidate> all = predicted(300, 200, 100);  // chain, binomial, flat
  const auto kept = [&](std::vector<Picoseconds> measured, Picoseconds native) {
    const Decision decision = decide(all, measured, native);
    CHECK(decision.native == native);
    return std::pair(decision.backend, decision.algorithm);
  };
  using P = std::pair<Backend, std::string>;
  CHECK(kept({1000, 1000, 500}, 2000) == P(Backend::plan, "flat"));
  CHECK(kept({1020, 1010, 1000}, 2000) == P(Backend::plan, "chain"));
  CHECK(kept({1021, 1020, 1000}, 2000) == P(Backend::plan, "binomial"));
  CHECK(kept({1021, 1021, 1000}, 990) == P(Backend::plan, "flat"));
  CHECK(kept({1020, 1010, 1000}, 1000) == P(Backend::plan, "chain"));
  CHECK(kept({1500, 1010, 1000}, 900) == P(Backend::native, "binomial"));
  CHECK(kept({0, 0, 0}, 0) == P(Backend::plan, "chain"));
  CHECK(decide(all, {30, 20, 10}, 100).measured == 10);
}
