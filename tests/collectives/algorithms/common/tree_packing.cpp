#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/common/tree_packing.hpp>

using namespace tombolo;

namespace {

std::int64_t total(const std::vector<Share>& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::int64_t{0},
                         [](std::int64_t sum, const Share& share) { return sum + share.count; });
}

std::vector<std::int64_t> by_tree(const std::vector<Share>& shares, std::size_t trees) {
  std::vector<std::int64_t> elements(trees);
  for (const Share& share : shares) elements[static_cast<std::size_t>(share.tree)] += share.count;
  return elements;
}

}  // namespace

TEST_CASE("every tree of a forest reaches every rank once, and a rank has children in one tree at most") {
  for (const TreePacking::Root root : {TreePacking::Root::above, TreePacking::Root::none}) {
    for (int ranks = 1; ranks <= 40; ++ranks) {
      const Rank above = root == TreePacking::Root::above ? ranks / 2 : nobody;
      const Request request = Request::bcast(ranks, std::max(above, 0), 100, 8);
      for (const int trees : {1, 2, 3, 4, 7, 16, ranks}) {
        const TreePacking packing(request, {}, root, trees);
        CHECK(packing.trees() <= trees);
        INFO(ranks << " ranks, " << packing.trees() << " trees");
        std::vector<int> inner(static_cast<std::size_t>(ranks), 0);
        for (int tree = 0; tree < packing.trees(); ++tree) {
          std::set<Rank> reached;
          std::vector<Rank> next{above >= 0 ? above : packing.top(tree)};
          CHECK(packing.role(tree, next.front(), Direction::down).parent == nobody);
          while (!next.empty()) {
            const Rank rank = next.back();
            next.pop_back();
            CHECK(reached.insert(rank).second);
            const Role role = packing.role(tree, rank, Direction::down);
            const Role up = packing.role(tree, rank, Direction::up);
            CHECK(up.parent == role.parent);
            CHECK(std::is_permutation(up.children.begin(), up.children.end(), role.children.begin(),
                                      role.children.end()));
            if (!role.children.empty() && rank != above) ++inner[static_cast<std::size_t>(rank)];
            for (const Rank child : role.children) {
              CHECK(packing.role(tree, child, Direction::down).parent == rank);
              next.push_back(child);
            }
          }
          CHECK(static_cast<int>(reached.size()) == ranks);
        }
        CHECK(*std::max_element(inner.begin(), inner.end()) <= 1);
      }
    }
  }
}

TEST_CASE("one tree is a chain, two have two children each, as many as ranks have one rank that serves all") {
  const Request request = Request::bcast(16, 3, 100, 8);
  const auto most_children = [&](int trees) {
    const TreePacking packing(request, {}, TreePacking::Root::above, trees);
    std::size_t most = 0;
    for (Rank rank = 0; rank < 16; ++rank) {
      for (int tree = 0; tree < packing.trees(); ++tree) {
        most = std::max(most, packing.role(tree, rank, Direction::down).children.size());
      }
    }
    return most;
  };
  CHECK(most_children(1) == 1);
  CHECK(most_children(2) == 2);
  CHECK(most_children(3) == 3);
  CHECK(most_children(15) == 14);
}

TEST_CASE("a vector is shared out among trees by their weights, in segments or whole") {
  std::mt19937 random(5);
  for (const std::int64_t count : {0, 1, 7, 100, 12'345}) {
    for (const std::size_t trees : {1U, 2U, 5U, 63U}) {
      std::vector<std::int64_t> weights(trees);
      for (auto& weight : weights) weight = static_cast<std::int64_t>(random() % 9 + 1);
      const std::int64_t sum = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
      for (const Bytes segment : {0, 8, 64}) {
        const auto shares = shared_out(count, 8, segment, weights);
        CHECK(total(shares) == count);
        std::int64_t at = 0;
        for (const Share& share : shares) {
          CHECK((share.offset == at && share.count > 0));
          at += share.count;
        }
        const auto elements = by_tree(shares, trees);
        for (std::size_t tree = 0; segment == 0 && tree < trees; ++tree) {
          CHECK(std::abs(elements[tree] * sum - count * weights[tree]) < sum);  // less than an element off
        }
        // Nobody was given one more while another one would have been through with it earlier.
        std::vector<std::int64_t> given(trees, 0);
        for (const Share& share : shares) {
          const auto tree = static_cast<std::size_t>(share.tree);
          CHECK(share.turn == given[tree]++);
        }
        for (std::size_t one = 0; segment > 0 && one < trees; ++one) {
          for (std::size_t other = 0; other < trees; ++other) {
            CHECK(given[one] * weights[other] <= (given[other] + 1) * weights[one]);
          }
        }
      }
    }
  }
  CHECK(shared_out(std::int64_t{1} << 60, 1, 0, {1, 3}).back() ==
        Share{std::int64_t{1} << 58, 3 * (std::int64_t{1} << 58), 1, 0});
  CHECK(shared_out(5, 8, 8, {1, 1}) ==
        std::vector<Share>{{0, 1, 0, 0}, {1, 1, 1, 0}, {2, 1, 0, 1}, {3, 1, 1, 1}, {4, 1, 0, 2}});
  CHECK(shared_out(3, 8, 8, {1, 5}) == std::vector<Share>{{0, 1, 1, 0}, {1, 1, 1, 1}, {2, 1, 1, 2}});
}

TEST_CASE("without a root every rank begins with another relay, and only with those that carry something") {
  const Request request = Request::allreduce(8, 5, 8);
  const TreePacking packing(request, {}, TreePacking::Root::none, 8);
  std::set<Rank> first;
  for (Rank rank = 0; rank < 8; ++rank) {
    const TreeRoutes up =
        routes_over_packing(packing, request.combining(true), {.segment_bytes = 8}, rank, Direction::up);
    CHECK(up.roles.size() == 5);
    CHECK(up.legs.size() == 5);
  }
  const Request full = Request::allreduce(8, 8, 8);
  for (Rank rank = 0; rank < 8; ++rank) {
    const TreeRoutes up = routes_over_packing(packing, full, {.segment_bytes = 8}, rank, Direction::up);
    CHECK(up.roles[up.legs.front().role].parent == nobody);
    first.insert(up.roles[up.legs[1].role].parent);
  }
  CHECK(first.size() == 8);
}
