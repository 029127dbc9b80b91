#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/plan/progress.hpp>

using namespace tombolo;

namespace {

// All steps in the order in which they may start, where the one that was started last is complete first.
std::vector<StepId> order(Progress& progress) {
  std::vector<StepId> steps;
  std::vector<StepId> under_way;
  while (!progress.done()) {
    for (StepId id = progress.next(); id != no_step; id = progress.next()) {
      steps.push_back(id);
      under_way.push_back(id);
    }
    progress.complete(under_way.back());
    under_way.pop_back();
  }
  return steps;
}

}  // namespace

TEST_CASE("a schedule begins anew as it began at first, after others, too") {
  const Plan chain(Request::bcast(5, 0, 40, 8), bcast_chain, {.segment_bytes = 32, .window = 2});
  const Plan tree(Request::reduce(5, 0, 40, 8), reduce_binomial, {.segment_bytes = 64, .window = 1});
  for (Rank rank = 0; rank < 5; ++rank) {
    const Schedule one = chain.schedule(rank);
    const Schedule other = tree.schedule(rank);
    const Dependencies of_one(one);
    const Dependencies of_other(other);
    Progress fresh(one);
    const std::vector<StepId> expected = order(fresh);
    CHECK(static_cast<int>(expected.size()) == one.size());
    Progress progress;
    CHECK(progress.done());
    for (int call = 0; call < 3; ++call) {
      progress.restart(of_one);
      CHECK_FALSE(progress.done());
      CHECK_FALSE(progress.started(expected.front()));
      CHECK(order(progress) == expected);
      CHECK(progress.all_started());
      progress.restart(of_other);
      progress.next();  // and given up
    }
  }
}

TEST_CASE("dependencies are the schedule's orders turned round") {
  const Schedule schedule =
      Plan(Request::reduce(8, 3, 100, 8), reduce_binomial, {.segment_bytes = 80, .window = 3}).schedule(3);
  const Dependencies dependencies(schedule);
  REQUIRE(dependencies.size() == schedule.size());
  std::size_t orders = 0;
  std::size_t queued = 0;
  for (StepId id = 0; id < schedule.size(); ++id) {
    for (const StepId before : schedule.after(schedule.step(id))) {
      const auto successors = dependencies.successors(before);
      CHECK(std::count(successors.begin(), successors.end(), id) == 1);
      ++orders;
    }
    queued += schedule.window(schedule.step(id)) > 0 ? 1U : 0U;
    orders -= dependencies.successors(id).size();
  }
  CHECK(orders == 0);
  for (int channel = 0; channel < dependencies.channels(); ++channel) {
    const auto queue = dependencies.queue(channel);
    CHECK(std::is_sorted(queue.begin(), queue.end()));
    queued -= queue.size();
  }
  CHECK(queued == 0);
}
