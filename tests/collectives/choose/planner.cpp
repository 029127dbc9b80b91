#include <algorithm>
#include <optional>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/predict/predict.hpp>

#include "collectives/choose_by_model.hpp"
#include "collectives/requests.hpp"
#include "models/figured_platform.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const Hockney hockney({.latency = 50'000'000, .rate = 125'000'000});

// Clusters of as many hosts each, 50 us and 125 MB/s, all 5 ms from each other.
Platform far_clusters(int clusters, int hosts) {
  Platform platform = clusters_of_hosts(
      std::vector(static_cast<std::size_t>(clusters), std::vector(static_cast<std::size_t>(hosts), 1)));
  for (Host& host : platform.hosts) host.rate = {125'000'000, 0};
  for (Level& cluster : platform.levels.children) cluster.latency = {50'000'000, 0};
  for (Link& link : platform.links) {
    link.latency = {5'000'000'000, 0};
    link.rate = {125'000'000, 0};
  }
  return platform;
}

void check_near_bound(Planner& planner, const Request& request) {
  const auto bound = static_cast<double>(planner.bound(request));
  const Plan plan = planner.plan(request);
  INFO(plan.describe());
  CHECK(static_cast<double>(predict(plan, planner.model_for(request, plan.algorithm())).makespan) <= 1.3 * bound);
}

}  // namespace

TEST_CASE("of many far clusters small vectors cross one long link in a row") {
  for (const int clusters : {10, 20, test::sanitized() ? 21 : 70}) {
    Planner planner(far_clusters(clusters, 4));
    for (const Request& request : {Request::barrier(4 * clusters), Request::allreduce(4 * clusters, 1, 8),
                                   Request::bcast(4 * clusters, 1, 1, 8), Request::scan(4 * clusters, 1, 8)}) {
      check_near_bound(planner, request);
    }
  }
}

TEST_CASE("of far clusters with many hosts shares of a vector cross one long link in a row") {
  const int hosts = test::sanitized() ? 10 : 50;
  Planner planner(far_clusters(10, hosts));
  check_near_bound(planner, Request::bcast(10 * hosts, 77, 65'536, 1));
  check_near_bound(planner, Request::reduce(10 * hosts, 77, 65'536, 1));
}

TEST_CASE("blocks that go directly take detours, also where other algorithms are faster without any") {
  for (const unsigned seed : {1U, 29U, 57U}) {
    Platform platform =
        with_figures(clusters_of_hosts({{1, 1, 1}, {1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1}}), seed);
    for (std::size_t link = 0, a = 0; a < platform.levels.children.size(); ++a) {
      for (std::size_t b = a + 1; b < platform.levels.children.size(); ++b, ++link) {
        // Clusters of one part of the world are near each other.
        const bool near = a % 3 == b % 3;
        Picoseconds& latency = platform.links[link].latency.value;
        latency = near ? latency / 5 : latency * 8;
        platform.links[link].rate.value /= near ? 1 : 2;
      }
    }
    Planner planner(std::move(platform));
    for (const Operation operation : {Operation::scatterv, Operation::gatherv}) {
      const Request request = Request::of_blocks(operation, 0, Blocks::equal(17, 100'000), 1);
      const Candidate chosen = planner.choice(request);
      INFO(chosen.plan.how() << ", seed " << seed);
      for (const Candidate& direct : planner.candidates_of(find_algorithm(operation, "flat"), request)) {
        CHECK(chosen.predicted <= direct.predicted + direct.predicted / 20);
      }
    }
  }
}

TEST_CASE("a planner chooses what choose() does, the first time and later") {
  Planner planner(hockney);
  std::mt19937 random(1);
  for (int turn = 0; turn < 2; ++turn) {
    random.seed(1);
    for (const Operation operation : all_operations()) {
      const Request request = test::request(operation, 7, 3, Spread::uneven, random);
      CHECK(planner.plan(request) == choose(request, hockney));
      const Request seen = request.knowing(Knowledge::as_in_mpi).seen_by(2);
      CHECK(planner.plan(seen) == choose(seen, hockney));
    }
  }
  CHECK(planner.describe() == hockney.describe());
}

TEST_CASE("plans of trees and groups for a platform are proved when they are chosen, if they are short") {
  const Platform platform = with_figures(clusters_of_hosts({{1, 1, 1, 1, 1}, {1, 1, 1}, {1, 1, 1, 1}}), 1);
  Planner planner(platform);
  std::mt19937 random(4);
  int proved = 0;
  for (const Operation operation : all_operations()) {
    const Request request = test::request(operation, 12, 5, Spread::uneven, random);
    const Plan plan = planner.plan(request);
    const bool made = !plan.parameters().trees.empty() || !plan.parameters().groups.empty();
    CHECK(planner.describe_plan(request) == plan.how() + (made ? ", proved" : ""));
    proved += made ? 1 : 0;
  }
  CHECK(proved > 0);
  // Each of 12 ranks would forward a million segments.
  Tuning tuning(std::vector<std::string>(12, "host"));
  const Request request = Request::bcast(12, 0, 1 << 30, 1);
  const std::vector<Candidate> mapped = planner.candidates_of(bcast_mapped, Request::bcast(12, 0, 8, 1));
  Parameters parameters = mapped.front().plan.parameters();
  parameters.segment_bytes = 1024;
  REQUIRE(
      tuning.keep({.operation = Operation::bcast, .bytes = 1 << 30, .algorithm = "mapped", .parameters = parameters}));
  planner.use(tuning);
  CHECK(planner.describe_plan(request).ends_with(", too long to be proved"));
}

TEST_CASE("a planner takes what the planner of another rank tells") {
  Planner there(far_clusters(4, 3));
  std::mt19937 random(5);
  int others = 0;
  for (const Operation operation : all_operations()) {
    Planner here(hockney);  // would choose otherwise
    const Request request = test::request(operation, 12, 5, Spread::uneven, random);
    for (const Request& each : {request, request.knowing(Knowledge::as_in_mpi).seen_by(2)}) {
      const Plan plan = there.plan(each);
      const auto before = here.prepared(each, 2);
      others += before->plan == plan ? 0 : 1;
      here.use_plan_text({each}, there.plan_text(plan));
      CHECK(here.plan(each) == plan);
      CHECK(here.describe_plan(each) == there.describe_plan(each));
      CHECK(here.prepared(each, 2)->plan == plan);
    }
  }
  CHECK(others > 0);
}

TEST_CASE("who works in place makes no difference to what is chosen, and is kept") {
  Planner planner(hockney);
  const Request request = Request::scatterv(3, Blocks::equal(9, 1000), 8);
  const Plan elsewhere = planner.plan(request);
  const Plan at_root = planner.plan(request.with_in_place(true));
  CHECK(at_root.request().in_place);
  CHECK(&at_root.algorithm() == &elsewhere.algorithm());
  CHECK(at_root.parameters() == elsewhere.parameters());
}

TEST_CASE("a plan is prepared once for each request and rank, until the knowledge behind it changes") {
  Planner planner(hockney);
  const Request request = Request::scatterv(1, Blocks::equal(4, 100), 8);
  const auto first = planner.prepared(request, 1);
  CHECK(first->plan == planner.plan(request));
  CHECK(planner.prepared(Request::scatterv(1, Blocks(std::vector<std::int64_t>(4, 100)), 8), 1) == first);
  CHECK(planner.blocking(request, 1) == first);
  CHECK(planner.prepared(request, 2)->rank == 2);
  const auto in_place = planner.prepared(request.with_in_place(true), 1);
  CHECK(in_place->first.schedule().size() < first->first.schedule().size());
  CHECK(planner.prepared(request.with_in_place(true), 1) == in_place);
  CHECK(planner.prepared(Request::scatterv(1, Blocks({100, 100, 101, 100}), 8), 1) != first);

  Tuning tuning(std::vector<std::string>(4, "host"));
  REQUIRE(tuning.keep(
      {.operation = Operation::scatterv, .root = 1, .bytes = 800, .backend = Backend::native, .algorithm = "chain"}));
  planner.use(std::move(tuning));
  CHECK(planner.prepared(request, 1)->plan.algorithm().name == "chain");
  CHECK(planner.blocking(request, 1) == nullptr);
}

TEST_CASE("a plan for counts as in MPI is one for all counts, and prepared for each rank's own") {
  Planner planner(hockney);
  const Request request = Request::gatherv(0, Blocks({3, 1, 4, 1, 5}), 8).knowing(Knowledge::as_in_mpi);
  const Plan at_root = planner.plan(request.seen_by(0));
  const Plan elsewhere = planner.plan(request.seen_by(3));
  CHECK(&at_root.algorithm() == &elsewhere.algorithm());
  CHECK(at_root.parameters() == elsewhere.parameters());
  CHECK(elsewhere.request() == request.seen_by(3));
  const auto mine = planner.prepared(request.seen_by(3), 3);
  CHECK(planner.prepared(request.seen_by(3), 3) == mine);
  CHECK(planner.prepared(request.seen_by(2), 2) != mine);
}

TEST_CASE("requests hash alike where they have one plan, whichever counts of an exchange are known") {
  const Request request = Request::gatherv(0, Blocks({1, 2, 3}), 8);
  CHECK(RequestHash()(request) == RequestHash()(request.with_in_place(true)));
  CHECK(SameRequest()(request, request.with_in_place(true)));
  CHECK_FALSE(SameRequest()(request, request.combining(false)));
  CHECK_FALSE(SameRequest()(request, Request::gatherv(1, Blocks({1, 2, 3}), 8)));
  const Request all = Request::alltoallv(3, AlltoallCounts::matrix({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}), 8);
  const Request own = all.knowing(Knowledge::as_in_mpi).seen_by(2);
  CHECK(RequestHash()(own) == RequestHash()(all.knowing(Knowledge::as_in_mpi).seen_by(2)));
  CHECK_FALSE(SameRequest()(own, all.knowing(Knowledge::as_in_mpi).seen_by(1)));
}

TEST_CASE("a planner of a platform knows its links, and lives on without whoever made it") {
  const Request request = Request::bcast(4, 0, 1000, 1);
  std::optional<Planner> planner;
  {
    const Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}}), 1);
    planner.emplace(platform);
  }
  const Model& model = planner->model_for(request, bcast_flat);
  CHECK(model.network() != nullptr);
  const Plan plan = planner->plan(request);
  CHECK(planner->bound(request) > 0);
  CHECK(planner->bound(request) <= predict(plan, model).makespan);
}

TEST_CASE("of plans that are predicted alike, one with the fewest messages between hosts of several ranks is taken") {
  std::mt19937 random(9);
  const auto crossings = [](const Plan& plan, const std::vector<Processor>& processors) {
    const auto host = [&](Rank rank) -> const std::string& { return processors[static_cast<std::size_t>(rank)].host; };
    return sum_over_sends(plan, [&](Rank from, const Step& step) { return host(from) != host(step.peer) ? 1 : 0; });
  };
  const auto time = [](const Candidate& of) {  // with what messages of segments take that no model counts
    return of.predicted + (of.plan.parameters().segment_bytes > 0 ? of.predicted / 32 : 0);
  };
  for (const std::vector<std::vector<int>>& hosts :
       std::vector<std::vector<std::vector<int>>>{{{3, 3}}, {{4}, {3}}, {{5, 5}, {3}}, {{1, 2, 4}}}) {
    if (test::sanitized() && hosts.size() > 1) continue;
    const Platform platform = with_figures(clusters_of_hosts(hosts), 1);
    const Planner planner(platform);
    for (const Operation operation : all_operations()) {
      for (const std::int64_t scale :
           test::sanitized() ? std::vector<std::int64_t>{1000} : std::vector<std::int64_t>{1, 1000}) {
        Request request = test::request(operation, platform.ranks(), 2, Spread::uneven, random);
        request.count *= scale;
        INFO(Plan(request, *algorithms_for(request).front()).describe());
        const std::vector<Candidate> all = planner.candidates(request);
        const Picoseconds best = time(*std::ranges::min_element(all, {}, time));
        CHECK(time(all.front()) - best <= best / 100);
        for (const Candidate& rival : all) {
          if (time(rival) - best > best / 100) continue;
          CHECK(crossings(all.front().plan, platform.processors) <= crossings(rival.plan, platform.processors));
        }
        CHECK(planner.choice(request.with_in_place(true)).plan.parameters() ==
              planner.choice(request).plan.parameters());
      }
    }
  }
}

TEST_CASE("calls among ranks of one host are left to MPI, unless something else was tuned") {
  const Platform platform = with_figures(clusters_of_hosts({{2, 1}, {1}}), 1);
  const Request request = Request::bcast(2, 0, 100, 8);
  Planner all(platform);
  CHECK(all.backend(Request::bcast(platform.ranks(), 0, 100, 8)) == Backend::plan);
  CHECK(all.on({0, 2})->backend(request) == Backend::plan);
  const std::shared_ptr<Planner> neighbors = all.on({3, 0});
  CHECK(neighbors->backend(request) == Backend::native);
  Tuning tuning(std::vector<std::string>(2, platform.processors[0].host));
  REQUIRE(tuning.keep({.operation = Operation::bcast, .bytes = 800, .algorithm = "flat"}));
  neighbors->use(std::move(tuning));
  CHECK(neighbors->backend(request) == Backend::plan);
  CHECK(Planner(hockney).backend(request) == Backend::plan);
}
