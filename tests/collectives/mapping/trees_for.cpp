#include <chrono>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>
#include <tombolo/collectives/prove/prove.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/requests.hpp"
#include "models/random_models.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const int most_ranks = test::sanitized() ? 13 : 40;

void check(const Plan& plan) {
  const Proof proof = prove(plan);
  if (!proof.holds()) FAIL(plan.describe() << ": " << *proof.fault);
}

std::vector<Parameters> topologies(const Request& request, const Algorithm& algorithm, const Model& model,
                                   const Hierarchy& hierarchy) {
  std::vector<Parameters> all;
  const Bytes vector = request.count * request.element_bytes;
  for (const MappedTrees& trees : trees_for(request, algorithm, model, hierarchy, vector)) {
    all.push_back({.trees = trees});
  }
  for (const NestedGroups& groups : groups_for(request, algorithm, model, hierarchy)) all.push_back({.groups = groups});
  return all;
}

}  // namespace

TEST_CASE("trees and groups fit all algorithms, on any landscape, for any number of ranks, root and size") {
  std::mt19937 random(3);
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Hierarchy hierarchy(platform);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(true);
    for (const Algorithm* algorithm : all_algorithms()) {
      const Rank root =
          is_rooted(algorithm->operation) ? static_cast<Rank>(random() % static_cast<unsigned>(ranks)) : 0;
      for (const std::int64_t factor : {1, 1000, 1'000'000}) {
        Request request = test::request(algorithm->operation, ranks, root, Spread::equal, random);
        request.count *= factor;
        const std::vector<Parameters> all = topologies(request, *algorithm, model, hierarchy);
        CHECK(all.size() <= 30);
        if (!algorithm->is_mapped()) CHECK(all.empty());
        std::set<std::string> names;
        for (std::size_t i = 0; i < all.size(); ++i) {
          // All of few ranks, some of many: proofs take time.
          if (ranks < 10 || random() % 8 == 0) {
            check(Plan(request, *algorithm, all[i]));
            Parameters segmented = all[i];
            segmented.segment_bytes = request.count / 10;
            segmented.window = 2;
            check(Plan(request, *algorithm, segmented));
          }
          for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(all[i] == all[j]);
          CHECK(names.insert(algorithm->follows_groups() ? all[i].groups.name() : all[i].trees.name()).second);
          CHECK_NOTHROW(Plan(request, *algorithm, all[i]));
        }
        CHECK(all == topologies(request, *algorithm, model, hierarchy));
      }
    }
  }
}

TEST_CASE("there are trees for several clusters, and leaders only there") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1}});
  const Lmo model = RandomModels(platform, 1).lmo(true);
  const Hierarchy hierarchy(platform);
  CHECK(trees_for(Request::bcast(10, 0, 8, 8), bcast_mapped, model, hierarchy, 64).size() >= 5);
  CHECK(trees_for(Request::scatterv(0, Blocks::equal(10, 8), 8), scatterv_mapped, model, hierarchy, 64).size() >= 5);
  CHECK_FALSE(trees_for(Request::barrier(10), barrier_leaders, model, hierarchy, 0).empty());
  CHECK(trees_for(Request::barrier(10), barrier_leaders, model, Hierarchy(10), 0).empty());
  const Request blocks = Request::allgatherv(Blocks::equal(10, 8), 8);
  CHECK_FALSE(trees_for(blocks, allgatherv_leaders, model, hierarchy, 0).empty());
  CHECK(trees_for(blocks, allgatherv_leaders, model, Hierarchy(10), 0).empty());
}

TEST_CASE("4,096 ranks in 64 clusters have trees soon") {
  const Platform platform = clusters_of_hosts(std::vector<std::vector<int>>(64, std::vector<int>(64, 1)));
  const Hierarchy hierarchy(platform);
  const Hockney model({.latency = 1'000'000, .rate = 1'000'000'000, .longest_latency = 1'000'000});
  for (const std::int64_t count : {8, 1 << 20}) {
    const auto begin = std::chrono::steady_clock::now();
    CHECK_FALSE(trees_for(Request::allreduce(4096, count, 8), allreduce_mapped, model, hierarchy, count * 8).empty());
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
  }
}
