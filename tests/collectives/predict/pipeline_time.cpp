// Of a long pipeline the beginning is simulated: what is predicted for the whole stays near the simulation of all.

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mapping/detours_for.hpp>
#include <tombolo/collectives/mapping/rotated_trees.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/platform/description/members.hpp>

#include "collectives/mapping/sites.hpp"
#include "models/test_platforms.hpp"
#include "platform/descriptions.hpp"

using namespace tombolo;

namespace {

const Hockney model({.latency = 50'000'000, .rate = 125'000'000});

Plan chain(int ranks, std::int64_t count, Bytes segment) {
  return {Request::bcast(ranks, 0, count, 1), find_algorithm(Operation::bcast, "chain"), {.segment_bytes = segment}};
}

}  // namespace

TEST_CASE("what is not cut, or hardly, is simulated whole") {
  for (const int ranks : {1, 2, 3, 7}) {
    for (const std::int64_t count : {0, 1, 1000, 1024, 4096}) {
      const Plan plan = chain(ranks, count, 1024);
      CHECK(pipeline_time(plan, model) == predict(plan, model).makespan);
    }
  }
}

TEST_CASE("long pipelines take about as long as a simulation of all segments says") {
  for (const int ranks : {2, 5, 13}) {
    const Plan plan = chain(ranks, 1 << 20, 4096);
    const auto whole = static_cast<double>(predict(plan, model).makespan);
    CHECK(static_cast<double>(pipeline_time(plan, model)) == Approx(whole).epsilon(0.01));
    const Fidelity quick{.sharing = Sharing::queued, .steady = false, .segments = 2, .messages = 1 << 10};
    CHECK(static_cast<double>(pipeline_time(plan, model, quick)) <= 1.01 * whole);
    CHECK(static_cast<double>(pipeline_time(plan, model, quick)) >= 0.5 * whole);
  }
}

TEST_CASE("regular rounds over equal links are predicted without simulating them") {
  const auto check = [](const Plan& plan) {
    INFO(plan.describe() << ", " << plan.request().ranks << " ranks");
    SearchBudget budget{.left = 0, .most = 0};
    const Picoseconds closed = pipeline_time(plan, model, {.messages = 0}, &budget);
    // Ranks that run ahead of their round meet others at a receiver, which the sum of rounds leaves out.
    const auto whole = static_cast<double>(predict(plan, model).makespan);
    CHECK(static_cast<double>(closed) <= 1.02 * whole);
    CHECK(static_cast<double>(closed) >= whole / (plan.parameters().segment_bytes > 0 ? 1.25 : 1.02));
    CHECK(pipeline_time(plan, model, {.messages = 0, .limit = closed - 1}, &budget) == never);
  };
  for (const int ranks : {2, 3, 5, 9, 16, 33, 100}) {
    for (const Bytes segment : {0, 4096, 40'000}) {
      check({Request::bcast(ranks, 1, 1 << 17, 1), bcast_circulant, {.segment_bytes = segment, .window = 4}});
      check({Request::reduce(ranks, 1, 1 << 14, 8), reduce_circulant, {.segment_bytes = segment, .window = 4}});
    }
    for (const std::int64_t count : {1000, 100'000}) check({Request::allreduce(ranks, count, 8), allreduce_circulant});
    for (const int radix : {2, 3, 8}) {
      check({Request::alltoallv(ranks, AlltoallCounts::equal(ranks, 100), 1), alltoallv_bruck, {.radix = radix}});
    }
  }
}

TEST_CASE("what has too many messages to simulate takes as long as the busiest, and the latencies in a row") {
  const Platform platform = described("grid5000");
  const Multiport model = multiport_of(platform);
  SearchBudget budget{.left = 1 << 12, .most = 1 << 10};  // in which it may be weighed
  const auto check = [&](const Plan& plan) {
    INFO(plan.describe());
    const auto whole = static_cast<double>(predict(plan, model).makespan);
    SearchBudget once = budget;
    const auto weighed = static_cast<double>(pipeline_time(plan, model, {}, &once));
    CHECK(once.left < budget.left);
    CHECK(weighed <= 1.35 * whole);
    CHECK(weighed >= whole / 1.35);
  };
  const int ranks = platform.ranks();
  for (const std::int64_t count : {100, 10'000}) {
    const AlltoallCounts counts = AlltoallCounts::equal(ranks, count);
    check({Request::alltoallv(ranks, counts, 1), alltoallv_direct});
    check({Request::allgatherv(Blocks::equal(ranks, count), 1), allgatherv_direct});
    budget.most = 1;
    for (const Plan& plan : {Plan(Request::alltoallv(ranks, counts, 1), alltoallv_direct),
                             Plan(Request::allgatherv(Blocks::equal(ranks, count), 1), allgatherv_direct)}) {
      SearchBudget least = budget;
      CHECK(pipeline_time(plan, model, {}, &least) < never);
    }
    budget.most = 1 << 10;
  }
}

TEST_CASE("a quick look at whole shares over many trees costs no simulation and is near the time of one") {
  const Platform platform = clusters_of_hosts(std::vector<std::vector<int>>(7, std::vector<int>(13, 1)));
  for (const Algorithm* algorithm : {&bcast_mapped, &reduce_mapped, &allreduce_mapped}) {
    const Request request = Request::of_vector(algorithm->operation, 91, 5, 1 << 22, 1);
    Parameters parameters;
    parameters.trees = rotated_trees("rotated", Hierarchy(platform), is_rooted(request.operation) ? 5 : nobody,
                                     {.trees = 26, .inside = k_nomial_tree({.radix = 4}), .senders = 1});
    const Plan plan(request, *algorithm, parameters);
    const auto simulated = static_cast<double>(makespan(plan, model));
    SearchBudget budget;
    const std::int64_t before = budget.left;
    Fidelity quick{.sharing = Sharing::queued, .steady = false, .segments = 2, .over_trees = 0};
    const Picoseconds looked = pipeline_time(plan, model, quick, &budget);
    CHECK(before - budget.left < 91 * 26 / 8);
    CHECK(static_cast<double>(looked) > 0.5 * simulated);
    CHECK(static_cast<double>(looked) < 2 * simulated);
    quick.limit = looked - 1;
    CHECK(pipeline_time(plan, model, quick) == never);
  }
}

TEST_CASE("requests of many ranks have more budget") {
  CHECK(SearchBudget::times(1) == 1);
  CHECK(SearchBudget::times(1023) == 1);
  CHECK(SearchBudget::times(1536) == 6);
  CHECK(SearchBudget::times(10'000) == 8);
}

TEST_CASE("a pipeline that all ranks fill in turn takes as long as a simulation of all segments says") {
  for (const int ranks : {2, 5, 13, 40}) {
    for (const Algorithm* algorithm : {&bcast_circulant, &reduce_circulant}) {
      const Request request = Request::of_vector(algorithm->operation, ranks, 0, 1 << 20, 1);
      const Plan plan(request, *algorithm, {.segment_bytes = 4096, .window = 3});
      const auto whole = static_cast<double>(predict(plan, model).makespan);
      CHECK(static_cast<double>(pipeline_time(plan, model)) == Approx(whole).epsilon(0.1));
      const Fidelity quick{.sharing = Sharing::queued, .steady = false, .segments = 2, .messages = 1 << 10};
      CHECK(static_cast<double>(pipeline_time(plan, model, quick)) == Approx(whole).epsilon(0.25));
    }
  }
}

TEST_CASE("windows hold up what is predicted from a few segments, however long they take to fill") {
  const Hockney far({.latency = 10'000'000'000, .rate = 125'000'000});
  for (const int window : {2, 10, 40}) {
    const Plan plan(Request::bcast(2, 0, 1 << 20, 1), bcast_chain, {.segment_bytes = 4096, .window = window});
    const auto whole = static_cast<double>(predict(plan, far).makespan);
    CHECK(static_cast<double>(pipeline_time(plan, far)) == Approx(whole).epsilon(0.03));
  }
}

TEST_CASE("segments over detours are simulated whole") {
  const Platform platform =
      test::sites({3, 3, 3}, [](int a, int b) { return BytesPerSecond{b - a == 2 ? 1'000'000 : 10'000'000}; });
  const Planner planner(platform);
  const Request request = Request::bcast(9, 6, Bytes{1} << 20, 1);
  const Model& model = planner.model_for(request, bcast_chain);
  const Plan direct(request, bcast_chain, {.segment_bytes = 4096, .window = 4});
  const std::vector<Detours> all = detours_for(direct, ClusterLinks(platform, all_in_order(9)));
  REQUIRE(!all.empty());
  for (const Detours& detours : all) {
    Parameters parameters = direct.parameters();
    parameters.detours = detours;
    const Plan plan(request, bcast_chain, parameters);
    CHECK(pipeline_time(plan, model) == makespan(plan, model));
  }
}

TEST_CASE("what a prediction takes is spent, and beyond the budget nothing is predicted") {
  SearchBudget budget{.left = 100, .most = 60};
  const Plan plan = chain(9, 1 << 20, 0);
  CHECK(pipeline_time(plan, model, {}, &budget) < never);
  CHECK(budget.left < 100);
  CHECK(budget.left > 0);
  const std::int64_t left = budget.left;
  CHECK(pipeline_time(chain(200, 1 << 20, 0), model, {}, &budget) == never);
  CHECK(budget.left == left);
}
