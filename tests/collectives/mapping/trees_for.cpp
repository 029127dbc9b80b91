#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/collectives/topology/tree.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/logp/logp.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/requests.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"
#include "support/sanitized.hpp"
#include "support/timing.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const int most_ranks = test::sanitized() ? 10 : 40;

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
  for (int ranks = 1; ranks <= most_ranks; ranks += test::sanitized() ? 3 : ranks < 10 ? 1 : 6) {
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

TEST_CASE("each cluster has the shape that is fastest by the model believed there") {
  const Platform platform = clusters_of_hosts({{1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}});
  const Hierarchy hierarchy(platform);
  constexpr Bytes size = 8;
  const auto model = [&](const LogPFigures& figures) {
    return LogP(platform, std::vector(static_cast<std::size_t>(PairClasses(platform).size()), figures), size,
                1'000'000);
  };
  // In one cluster a rank can send to all others before its first message arrives, in the other one only to three.
  const LogP long_way = model({.send_overhead = 1, .receive_overhead = 1, .latency = 1'000'000'000, .gap = 1});
  const LogP busy = model({.send_overhead = 1, .receive_overhead = 1, .latency = 3'000'000'000, .gap = 1'000'000'000});
  std::set<std::vector<Rank>> asked;
  const ModelWithin within = [&](const std::vector<Rank>& ranks) -> const Model& {
    asked.insert(ranks);
    return ranks == hierarchy.whole().children.front().ranks ? long_way : busy;
  };
  const auto differ = [&](const ModelWithin& believed) {
    return std::ranges::count_if(
        trees_for(Request::bcast(16, 0, 1, size), bcast_mapped, busy, hierarchy, size, believed),
        [](const MappedTrees& trees) {
          return trees.name().starts_with("fastest over ") && trees.name().find(", ") != std::string::npos;
        });
  };
  CHECK(differ(within) == 1);
  CHECK(asked.size() == 2);
  CHECK(differ({}) == 0);
}

TEST_CASE("4,096 ranks in 64 clusters have trees soon") {
  if (test::sanitized()) return;  // a matter of time
  const Hockney model({.latency = 1'000'000, .rate = 1'000'000'000, .longest_latency = 1'000'000});
  const auto seconds = [&](int clusters, std::int64_t count) {
    const Platform platform = clusters_of_hosts(std::vector(static_cast<std::size_t>(clusters), std::vector(64, 1)));
    const Hierarchy hierarchy(platform);
    const Request request = Request::allreduce(64 * clusters, count, 8);
    return test::least_seconds(
        [&] { CHECK_FALSE(trees_for(request, allreduce_mapped, model, hierarchy, count * 8).empty()); });
  };
  for (const std::int64_t count : {8, 1 << 20}) {
    const double few = seconds(16, count);
    const double many = seconds(64, count);
    INFO(few << " s and " << many << " s");
    CHECK(many < 16 * few);  // of four times as many ranks, whose square is 16
  }
}

TEST_CASE("counts that are not known make no trees") {
  const Request request = Request::scatterv(0, Blocks({3, 4, 5}), 8).knowing(Knowledge::as_in_mpi).seen_by(1);
  const Platform platform = flat_cluster(3);
  CHECK(trees_for(request, scatterv_mapped, RandomModels(platform, 1).lmo(false), Hierarchy(platform), 0).empty());
}
