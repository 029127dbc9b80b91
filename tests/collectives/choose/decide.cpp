#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/decide.hpp>
#include <tombolo/collectives/choose/planner.hpp>

#include "models/figured_platform.hpp"

using namespace tombolo;

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
      for (const int most : {1, 3, 100}) {
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
