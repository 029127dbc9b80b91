#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/kept_plans.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/platform/description/members.hpp>

#include "collectives/requests.hpp"
#include "models/figured_platform.hpp"

using namespace tombolo;
using test::Spread;

namespace {

Platform three_clusters() {
  return with_figures(clusters_of_hosts({{1, 1, 1, 1, 1}, {1, 1, 1}, {1, 1, 1, 1}}), 1);
}

std::vector<Request> requests() {
  std::mt19937 random(3);
  std::vector<Request> all;
  for (const Operation operation : all_operations()) {
    for (const Spread spread : {Spread::equal, Spread::uneven})
      all.push_back(test::request(operation, 12, 5, spread, random));
  }
  all.push_back(Request::gatherv(3, Blocks::equal(12, 40), 8).knowing(Knowledge::as_in_mpi));
  return all;
}

// What a run leaves to the next one.
std::string text_of_a_run(const Platform& platform) {
  const auto plans = std::make_shared<KeptPlans>(platform);
  Planner planner(platform);
  planner.use(plans);
  for (const Request& request : requests()) planner.plan(request);
  CHECK(plans->changed());
  return plans->to_json();
}

// Twelve makespans from `least` on, one ps apart.
std::vector<Picoseconds> makespans(Picoseconds least) {
  std::vector<Picoseconds> all;
  for (Picoseconds time = least; time < least + 12; ++time) all.push_back(time);
  return all;
}

}  // namespace

TEST_CASE("the next run plans as the first one did, and keeps nothing new") {
  const Platform platform = three_clusters();
  const auto plans = std::make_shared<KeptPlans>(platform);
  REQUIRE(plans->read(text_of_a_run(platform)));
  Planner first(platform);
  Planner next(platform);
  next.use(plans);
  for (const Request& request : requests()) {
    CHECK(next.plan(request) == first.plan(request));
    CHECK(next.on(all_in_order(12))->plan(request) == first.plan(request));
    const bool matrix = request.operation == Operation::alltoallv && !request.exchange.factors();
    CHECK(next.describe_plan(request) == first.describe_plan(request) + (matrix ? "" : ", kept by an earlier run"));
  }
  CHECK_FALSE(plans->changed());
}

TEST_CASE("plans of another platform and damaged texts are not taken") {
  const Platform platform = three_clusters();
  const std::string text = text_of_a_run(platform);
  Platform other = platform;
  other.processors.front().speed += 1;
  CHECK_FALSE(KeptPlans(other).read(text));
  CHECK_FALSE(KeptPlans(platform).read(""));
  CHECK_FALSE(KeptPlans(platform).read("[]"));
  CHECK_FALSE(KeptPlans(platform).read(text.substr(0, text.size() / 2)));
  // A digit within a plan.
  std::string changed = text;
  const std::size_t predicted = changed.find("predicted_ps\":") + 14;
  changed[predicted] = changed[predicted] == '9' ? '8' : '9';
  CHECK_FALSE(KeptPlans(platform).read(changed));
  CHECK(KeptPlans(platform).read(text));
}

TEST_CASE("a text has its limit, and what a run used comes first") {
  const Platform platform = three_clusters();
  Planner planner(platform);
  KeptPlans plans(platform);
  const auto keep = [&](std::int64_t count) {
    plans.keep({.chosen = {Plan(Request::bcast(12, 0, count, 1), *algorithms_for(Request::barrier(12)).front()), 1}});
  };
  CHECK_THROWS(keep(1));  // the plan of another operation
  const Candidate chosen = planner.choice(Request::bcast(12, 0, 1000, 1));
  for (std::int64_t count = 0; count < 2000; ++count) {
    plans.keep(
        {.chosen = {Plan(Request::bcast(12, 0, count, 1), chosen.plan.algorithm(), chosen.plan.parameters()), 1}});
  }
  const std::string text = plans.to_json();
  CHECK(text.size() <= 2 * KeptPlans::most_bytes);
  KeptPlans next(platform);
  REQUIRE(next.read(text));
  int found = 0;
  for (std::int64_t count = 0; count < 2000; ++count) found += next.find(Request::bcast(12, 0, count, 1)) ? 1 : 0;
  CHECK((found > 100 && found <= 1024));
}

TEST_CASE("a plan loses its place only if the lower end of its makespans exceeds what another one takes") {
  const Request request = Request::bcast(12, 0, 100'000, 1);
  const Platform platform = three_clusters();
  const Planner planner(platform);
  const std::vector<Candidate> all = planner.candidates(request);
  REQUIRE(all.size() > 1);
  const Candidate& second = *std::ranges::min_element(all.begin() + 1, all.end(), {}, &Candidate::predicted);
  const auto times = [](double factor, Picoseconds time) { return std::llround(factor * static_cast<double>(time)); };
  const double apart = static_cast<double>(second.predicted) / static_cast<double>(all.front().predicted);
  KeptPlan kept{.chosen = all.front()};
  CHECK_FALSE(kept.is_belied());
  kept.add(all.front().plan, std::vector<Picoseconds>(5, 10 * second.predicted));
  CHECK_FALSE(kept.is_belied());  // too few
  kept.experiences.clear();
  kept.add(all.front().plan, makespans(all.front().predicted - 20));
  CHECK_FALSE(kept.is_belied());

  kept.add(all.front().plan, std::vector<Picoseconds>(KeptPlan::most_makespans, second.predicted));
  CHECK(kept.is_belied() == (second.predicted > all.front().predicted));
  CHECK(kept.better_of(all) == nullptr);
  CHECK((second.predicted <= kept.rival && kept.rival <= times(apart, second.predicted)));
  CHECK_FALSE(kept.is_belied());  // no other plan is better

  // Half of its error, in logarithms, is expected of the second one, too.
  kept.add(all.front().plan, std::vector<Picoseconds>(KeptPlan::most_makespans, times(0.99 * apart, second.predicted)));
  CHECK(kept.better_of(all) == nullptr);
  const Picoseconds measured = times(1.01 * apart, second.predicted);
  kept.add(all.front().plan, std::vector<Picoseconds>(KeptPlan::most_makespans, measured));
  CHECK(kept.is_belied());
  const Candidate* const better = kept.better_of(all);
  REQUIRE(better != nullptr);
  CHECK(better->predicted == second.predicted);
  // It has taken longer still: the first one is back, and stays.
  kept.chosen = *better;
  kept.add(better->plan, makespans(measured + 100));
  CHECK(kept.is_belied());
  std::vector<Candidate> two{all.front(), *better};
  REQUIRE(kept.better_of(two) == &two.front());
  kept.chosen = two.front();
  kept.better_of(two);
  CHECK_FALSE(kept.is_belied());
}

TEST_CASE("the experience of one run is heard by the next, and by no other before") {
  const Request request = Request::bcast(12, 0, 100'000, 1);
  const Platform platform = three_clusters();
  const auto plans = std::make_shared<KeptPlans>(platform);
  Planner planner(platform);
  planner.use(plans);
  const Plan plan = planner.plan(request);
  KeptPlan kept = plans->find(request).value();
  kept.add(plan, makespans(100 * kept.chosen.predicted));
  plans->keep(kept);
  CHECK(planner.plan(request) == plan);

  const auto later = std::make_shared<KeptPlans>(platform);
  REQUIRE(later->read(plans->to_json()));
  Planner next(platform);
  next.use(later);
  CHECK_FALSE(next.plan(request) == plan);
  CHECK(next.describe_plan(request).ends_with("slower than predicted"));
  const KeptPlan preferred = later->find(request).value();
  CHECK(preferred.chosen.plan == next.plan(request));
  CHECK(preferred.experiences.size() == 1);
  CHECK(later->changed());
}
