#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/mapping/swapped_ranks.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/topology/tree.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

Request request_of(Operation operation, int ranks, std::mt19937& random) {
  std::vector<std::int64_t> counts;
  for (int rank = 0; rank < ranks; ++rank) counts.push_back(static_cast<std::int64_t>(500 + random() % 1500));
  const Rank root = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
  return operation == Operation::scatterv ? Request::scatterv(root, Blocks(counts), 8)
                                          : Request::gatherv(root, Blocks(counts), 8);
}

const Algorithm& mapped(Operation operation) {
  return operation == Operation::scatterv ? scatterv_mapped : gatherv_mapped;
}

RankTree placed_tree(const Request& request, const Model& model, Mapping mapping = Mapping::good) {
  return RankTree::of_shape(binomial_tree(), placed_order(binomial_tree(), request, model, mapping));
}

Picoseconds time_of(const Request& request, const RankTree& tree, const Model& model) {
  return predict(Plan(request, mapped(request.operation), {.trees = {"", tree}}), model).makespan;
}

}  // namespace

TEST_CASE("a good mapping is never predicted to be slower than a pessimal one under LMO, and often much faster") {
  std::mt19937 random(1);
  Picoseconds good = 0;
  Picoseconds pessimal = 0;
  for (int ranks = 3; ranks <= 40; ++ranks) {
    const Platform platform = flat_cluster(ranks);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(false);
    for (const Operation operation : {Operation::scatterv, Operation::gatherv}) {
      const Request request = request_of(operation, ranks, random);
      const Plan placed(request, mapped(operation), {.trees = {"", placed_tree(request, model)}});
      const Picoseconds one = predict(with_ranks_swapped(placed, model, 50), model).makespan;
      const Picoseconds other = time_of(request, placed_tree(request, model, Mapping::pessimal), model);
      INFO(ranks << " ranks, " << name(operation));
      CHECK(one <= other);
      good += one;
      pessimal += other;
    }
  }
  CHECK(good * 5 < pessimal * 4);
}

TEST_CASE("a search by swaps ends with nothing slower, and keeps to its budget") {
  std::mt19937 random(2);
  int better = 0;
  for (int ranks = 1; ranks <= 12; ++ranks) {
    const Platform platform = flat_cluster(ranks);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(false);
    const Request request = request_of(Operation::scatterv, ranks, random);
    const Plan plan(request, scatterv_mapped, {.trees = {"", placed_tree(request, model)}});
    const Picoseconds before = predict(plan, model).makespan;
    CHECK(with_ranks_swapped(plan, model, 0) == plan);
    const Picoseconds after = predict(with_ranks_swapped(plan, model, 100), model).makespan;
    CHECK(after <= before);
    better += after < before;
    const Plan longer = with_ranks_swapped(plan, model, 400);
    CHECK(predict(longer, model).makespan <= after);
    CHECK(longer.parameters().trees.tree(0).parents() == plan.parameters().trees.tree(0).parents());
    CHECK(with_ranks_swapped(plan, model, 400) == longer);
  }
  CHECK(better > 3);
}

TEST_CASE("a search ahead of time lets ranks change places where that is faster") {
  std::mt19937 random(3);
  int swapped = 0;
  for (int ranks = 3; ranks <= 14; ++ranks) {
    const Platform platform = flat_cluster(ranks);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(false);
    const Hierarchy hierarchy(ranks);
    const Request request = request_of(Operation::gatherv, ranks, random);
    Picoseconds best = never;
    Picoseconds in_place = never;
    for (const Candidate& candidate : candidates_of(gatherv_mapped, request, model, {.hierarchy = &hierarchy})) {
      const bool moved = candidate.plan.how().find("ranks swapped") != std::string::npos;
      best = std::min(best, candidate.predicted);
      if (!moved) in_place = std::min(in_place, candidate.predicted);
    }
    CHECK(best <= in_place);
    swapped += best < in_place;
  }
  CHECK(swapped > 0);
}
