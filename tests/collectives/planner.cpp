#include <optional>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/planner.hpp>
#include <tombolo/collectives/predict.hpp>

#include "models/figured_platform.hpp"
#include "requests.hpp"

using namespace tombolo;
using test::Spread;

namespace {
const Hockney hockney({.latency = 50'000'000, .rate = 125'000'000});
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

TEST_CASE("who works in place makes no difference to what is chosen, and is kept") {
  Planner planner(hockney);
  const Request request = Request::scatterv(3, Blocks::equal(9, 1000), 8);
  const Plan elsewhere = planner.plan(request);
  const Plan at_root = planner.plan(request.with_in_place(true));
  CHECK(at_root.request().in_place);
  CHECK(&at_root.algorithm() == &elsewhere.algorithm());
  CHECK(at_root.parameters() == elsewhere.parameters());
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

TEST_CASE("calls among ranks of one host are left to MPI, unless something else was tuned") {
  const Platform platform = with_figures(clusters_of_hosts({{2, 1}, {1}}), 1);
  const Request request = Request::bcast(2, 0, 100, 8);
  Planner all(platform);
  CHECK(all.carrier(Request::bcast(platform.ranks(), 0, 100, 8)) == Carrier::plan);
  CHECK(all.on({0, 2})->carrier(request) == Carrier::plan);
  const std::shared_ptr<Planner> neighbors = all.on({3, 0});
  CHECK(neighbors->carrier(request) == Carrier::native);
  Tuning tuning(std::vector<std::string>(2, platform.processors[0].host));
  REQUIRE(tuning.keep({.operation = Operation::bcast, .bytes = 800, .algorithm = "flat"}));
  neighbors->use(std::move(tuning));
  CHECK(neighbors->carrier(request) == Carrier::plan);
  CHECK(Planner(hockney).carrier(request) == Carrier::plan);
}
