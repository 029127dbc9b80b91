// Scans over trees: any trees, any order of operands, vectors that are larger than scratch for all sums.

#include <numeric>

#include <catch2/catch.hpp>

#include <tombolo/collectives/prove/prove.hpp>

#include "collectives/random_trees.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;

namespace {

constexpr const Algorithm* over_one_root[] = {&scan_mapped, &exscan_mapped};
constexpr const Algorithm* over_leaders[] = {&scan_leaders, &exscan_leaders};

Proof checked(const Plan& plan) {
  const Proof proof = prove(plan);
  if (!proof.holds()) FAIL(plan.describe() << ": " << *proof.fault);
  return proof;
}

// One tree for each group of so many ranks, a chain or flat, with the last rank of a group as its leader.
MappedTrees groups_of(int ranks, int each, const TreeTopology& shape) {
  std::vector<Rank> order;
  std::vector<int> parents;
  for (int first = 0; first < ranks; first += each) {
    std::vector<Rank> group(static_cast<std::size_t>(std::min(each, ranks - first)));
    std::iota(group.rbegin(), group.rend(), 0);
    const RankTree part = RankTree::of_shape(shape, group);
    for (const Rank rank : part.order()) order.push_back(first + rank);
    for (const int parent : part.parents()) parents.push_back(parent < 0 ? parent : first + parent);
  }
  return {"groups", RankTree(std::move(order), std::move(parents))};
}

}  // namespace

TEST_CASE("scans over random trees keep the order of operands that do not commute") {
  std::mt19937 random(17);
  for (int ranks = 1; ranks <= (test::sanitized() ? 9 : 31); ++ranks) {
    for (const bool leaders : {false, true}) {
      const int roots = leaders ? 1 + static_cast<int>(random() % 6) : 1;
      const MappedTrees trees = test::random_trees(1 + static_cast<int>(random() % 4), ranks, 0, roots, random);
      for (const Algorithm* algorithm : leaders ? over_leaders : over_one_root) {
        for (const std::int64_t count : {0, 1, 37}) {
          const Request request = Request::of_vector(algorithm->operation, ranks, 0, count, 8).combining(false);
          for (const Request& each : {request, request.with_in_place(true)}) {
            checked(Plan(each, *algorithm, {.trees = trees}));
            checked(Plan(each, *algorithm, {.segment_bytes = 24, .window = 1, .trees = trees}));
            checked(Plan(each, *algorithm,
                         {.segment_bytes = 16, .window = 2, .channels = Channels::per_rank, .trees = trees}));
          }
        }
      }
    }
  }
}

TEST_CASE("scans of large vectors over trees share scratch between pieces") {
  std::mt19937 random(23);
  for (const int ranks : {2, 5, 13, 24}) {
    for (const int roots : {1, 2, 7}) {
      const MappedTrees trees = test::random_trees(3, ranks, 0, roots, random);
      for (const Algorithm* algorithm : roots == 1 ? over_one_root : over_leaders) {
        const Request request = Request::of_vector(algorithm->operation, ranks, 0, (1 << 20) + 7, 8);
        for (const Request& each : {request, request.combining(false).with_in_place(true)}) {
          checked(Plan(each, *algorithm, {.trees = trees}));
          checked(Plan(each, *algorithm, {.segment_bytes = 1 << 20, .window = 2, .trees = trees}));
        }
      }
    }
  }
}

TEST_CASE("scans of a few huge elements go along the chain where scratch has no room for all sums") {
  std::mt19937 random(29);
  for (const int roots : {1, 4}) {
    const MappedTrees trees = test::random_trees(2, 12, 0, roots, random);
    for (const Algorithm* algorithm : roots == 1 ? over_one_root : over_leaders) {
      const Request request = Request::of_vector(algorithm->operation, 12, 0, 3, Bytes{1} << 30);
      CHECK(checked(Plan(request, *algorithm, {.trees = trees})).messages == 11);
      checked(Plan(request.with_in_place(true), *algorithm, {.trees = trees}));
    }
  }
}

TEST_CASE("leaders of scans send nothing that no higher rank needs") {
  for (const int groups : {2, 3, 5}) {
    const MappedTrees trees = groups_of(4 * groups, 4, flat_tree());
    const auto messages = [&](const Algorithm& algorithm) {
      return checked(Plan(Request::of_vector(algorithm.operation, 4 * groups, 0, 10, 8), algorithm, {.trees = trees}))
          .messages;
    };
    // Three up and three down in a group, but nothing comes down to rank 0, each pair of leaders once. Nobody needs the
    // last leader's own vector, but those of the others.
    const int between = groups * (groups - 1) / 2;
    CHECK(messages(scan_leaders) == groups * 6 - 1 + between);
    CHECK(messages(exscan_leaders) == groups * 6 - 1 + between);
  }
}

TEST_CASE("leaders of cyclic ranks exchange a sum for each run") {
  // Ranks 0, 2, 4, 6 and 1, 3, 5, 7: sums of single ranks cross, three or four each way.
  const MappedTrees trees("cyclic", RankTree::of_children({0, 1}, {{2, 4, 6}, {3, 5, 7}, {}, {}, {}, {}, {}, {}}));
  const Proof proof = checked(Plan(Request::scan(8, 100, 8).combining(false), scan_leaders, {.trees = trees}));
  CHECK(proof.messages == 6 + 6 + 2 - 1);  // the last rank's vector goes nowhere
}
