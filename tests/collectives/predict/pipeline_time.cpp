// Of a long pipeline the beginning is simulated: what is predicted for the whole stays near the simulation of all.

#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

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

TEST_CASE("windows hold up what is predicted from a few segments, however long they take to fill") {
  const Hockney far({.latency = 10'000'000'000, .rate = 125'000'000});
  for (const int window : {2, 10, 40}) {
    const Plan plan(Request::bcast(2, 0, 1 << 20, 1), bcast_chain, {.segment_bytes = 4096, .window = window});
    const auto whole = static_cast<double>(predict(plan, far).makespan);
    CHECK(static_cast<double>(pipeline_time(plan, far)) == Approx(whole).epsilon(0.03));
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
