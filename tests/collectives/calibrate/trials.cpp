#include <set>
#include <tuple>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/trials.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/hockney/hockney_pairs.hpp>

#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

Scope all_of(const Platform& platform) {
  return scopes_of(platform).back();
}

std::vector<Operation> every_operation() {
  const auto all = all_operations();
  return {all.begin(), all.end()};
}

// In bytes, what a sample says, from what the first rank holds.
Bytes bytes_of(const Request& request) {
  switch (sizes(request.operation)) {
    case Sizes::none:
      return 0;
    case Sizes::vector:
      return request.count * request.element_bytes;
    case Sizes::blocks:
      if (request.operation == Operation::reduce_scatter) return request.blocks.total() * request.element_bytes;
      return request.blocks.count(0) * request.element_bytes;
    case Sizes::exchange:
      return request.exchange.sends(0).count(0) * request.element_bytes;
  }
  return -1;
}

}  // namespace

TEST_CASE("trials are of every algorithm and size, once each, for the scope's ranks and root, and hold") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1}, {1, 1}});
  const std::vector<Bytes> sizes = {64, 64 << 10, 256 << 10, 1 << 20};
  for (const int ranks : {2, 3, 6}) {
    const Scope scope = all_of(platform);
    const std::vector<Trial> trials = trials_of(scope, {every_operation(), sizes, ranks, ranks - 1});
    std::set<std::tuple<Operation, std::string, Bytes, Bytes>> seen;
    for (const Trial& trial : trials) {
      const Sample& s = trial.sample;
      INFO(trial.plan.describe());
      CHECK(seen.insert({s.operation, s.algorithm, s.segment, s.bytes}).second);
      CHECK(trial.ranks == some_of(scope, ranks));
      CHECK((s.scope == "all" && s.ranks == ranks && s.root == ranks - 1));
      CHECK(trial.plan.request().ranks == ranks);
      CHECK(bytes_of(trial.plan.request()) == s.bytes);
      CHECK(trial.plan.parameters().segment_bytes == s.segment);
      CHECK(trial.plan.algorithm().name == s.algorithm);
      CHECK((s.measured == 0 && s.predicted.empty()));
      if (s.bytes <= 64 << 10) CHECK(prove(trial.plan).holds());
    }
    for (const Algorithm* const algorithm : all_algorithms()) {
      const Operation operation = algorithm->operation;
      for (const Bytes bytes : operation == Operation::barrier ? std::vector<Bytes>{0} : sizes) {
        const bool vector = tombolo::sizes(operation) == Sizes::vector || operation == Operation::reduce_scatter;
        const Bytes most = vector ? 1 << 30 : (operation == Operation::alltoallv ? 64 : 256) << 10;
        INFO(algorithm->name << " with " << bytes);
        const bool tried = bytes <= most && !algorithm->throttles && !algorithm->is_mapped();
        CHECK(seen.contains({operation, std::string(algorithm->name), 0, bytes}) == tried);
        CHECK(seen.contains({operation, std::string(algorithm->name), 16 << 10, bytes}) ==
              (tried && algorithm->heeds(Parameter::segment_bytes) && bytes > 16 << 10));
      }
    }
  }
}

TEST_CASE("only the operations asked for are tried") {
  const Scope scope = all_of(clusters_of_hosts({{1, 1, 1}}));
  for (const Operation operation : every_operation()) {
    for (const Trial& trial : trials_of(scope, {{operation}, {100}, 3, 0})) CHECK(trial.sample.operation == operation);
  }
  CHECK(trials_of(scope, {{}, {100}, 3, 0}).empty());
}

TEST_CASE("every model predicts a trial between the ranks that take part in it") {
  const Platform platform = clusters_of_hosts({{1, 1, 1}, {1, 1, 1}});
  RandomModels random(platform, 2);
  std::vector<PlatformModel> models;
  models.push_back({std::make_unique<Hockney>(random.hockney())});
  models.push_back({std::make_unique<HockneyPairs>(random.hockney_pairs())});
  const Scope second = {"c1", {1, 3, 5}};
  for (Trial& trial : trials_of(second, {{Operation::bcast}, {5000}, 2, 1})) {
    predict_trial(trial, models);
    REQUIRE(trial.sample.predicted.size() == 2);
    // From the second of two, 3, to the first, 1; one message, unless it is cut into shares.
    if (trial.sample.algorithm == "binomial")
      CHECK(trial.sample.predicted.at("hockney-pairs") == message_time(*models[1].usual, 3, 1, 5000));
    CHECK(trial.sample.predicted.at("hockney") == predict(trial.plan, *models[0].usual).makespan);
  }
}
