#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/product/product_division.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "framework/arrays/distributions.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

using Speeds = std::vector<FlopsPerSecond>;

constexpr Picoseconds latency = 10'000'000;

/// Ranks on links of so many bytes per second.
ProductRanks on_links(std::vector<FlopsPerSecond> speeds, double rate, const Level& levels) {
  const auto time = [rate](const Request& request) {
    double bytes = 0;
    for (Rank rank = 0; request.operation == Operation::alltoallv && rank < request.ranks; ++rank)
      bytes = std::max(bytes, static_cast<double>(request.exchange.sends(rank).total() * request.element_bytes));
    return latency + static_cast<Picoseconds>(1e12 * bytes / rate);
  };
  return {.speeds = std::move(speeds), .levels = levels, .time_of_moves = time};
}

ProductMatrices in_blocks(std::int64_t size, int grid_rows, int grid_columns) {
  const BlockCyclic how{.block = {32, 32}, .grid_rows = grid_rows, .grid_columns = grid_columns};
  const Distribution all = block_cyclic({size, size}, how, grid_rows * grid_columns);
  return {.a = all, .b = all, .c = all};
}

const Level one_cluster;

}  // namespace

TEST_CASE("C stays where ranks are alike, and moves to fast ranks if links are fast") {
  const std::vector<FlopsPerSecond> even(4, 1'000'000'000);
  const std::vector<FlopsPerSecond> uneven{4'000'000'000, 3'000'000'000, 2'000'000'000, 1'000'000'000};
  const ProductMatrices matrices = in_blocks(1024, 2, 2);
  CHECK(divide_product(matrices, 8, on_links(even, 1e9, one_cluster)).where_held);
  CHECK(divide_product(matrices, 8, on_links(even, 1e6, one_cluster)).where_held);
  const ProductDivision fast = divide_product(matrices, 8, on_links(uneven, 1e9, one_cluster));
  CHECK_FALSE(fast.where_held);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const double share = static_cast<double>(fast.lines[rank].height() * fast.lines[rank].width()) / (1024.0 * 1024);
    CHECK(share == Approx(static_cast<double>(uneven[rank]) / 10e9).epsilon(0.02));
  }
}

TEST_CASE("C in shares by speed stays") {
  const std::vector<FlopsPerSecond> speeds{4'000'000'000, 3'000'000'000, 2'000'000'000, 1'000'000'000};
  const Distribution rows = Distribution::rows(proportional_shares(1000, speeds), 1000);
  CHECK(divide_product({.a = rows, .b = rows, .c = rows}, 8, on_links(speeds, 1e9, one_cluster)).where_held);
}

TEST_CASE("ranks compute every element of C once, in panels of all of the inner dimension") {
  std::mt19937_64 random(9);
  for (const int ranks : {1, 2, 3, 5, 8, 16}) {
    for (const std::int64_t k : {1, 100, 1000}) {
      const auto a = distributions(random, 20, k, ranks);
      const auto b = distributions(random, k, 15, ranks);
      const auto c = distributions(random, 20, 15, ranks);
      for (std::size_t i = 0; i < c.size(); ++i) {
        std::vector<FlopsPerSecond> speeds;
        for (int rank = 0; rank < ranks; ++rank) speeds.push_back(1'000'000 * (1 + static_cast<int>(random() % 5)));
        const ProductMatrices matrices{.a = a[i], .b = b[i], .c = c[i]};
        const ProductDivision division = divide_product(matrices, 8, on_links(speeds, 1e9, one_cluster));
        CHECK(computed_of_c({20, 15, k}, division.lines).exact());
        CHECK((!division.where_held || lines_of(c[i]) == division.lines));
        std::set<std::int64_t> inner;
        std::int64_t sum = 0;
        for (const auto& panel : division.panels) {
          for (const InnerRange& range : panel) {
            sum += range.count;
            for (std::int64_t l = 0; l < range.count; ++l) inner.insert(range.first + l);
          }
        }
        CHECK((sum == k && std::ssize(inner) == k));
      }
    }
  }
}

TEST_CASE("copies of a panel take little beside the matrices, in as few panels as that allows") {
  const std::vector<FlopsPerSecond> speeds(16, 1'000'000'000);
  const auto division = [&](std::int64_t size) {
    return divide_product(in_blocks(size, 4, 4), 8, on_links(speeds, 1e9, one_cluster));
  };
  CHECK(division(64).panels.size() == 1);
  CHECK(division(1024).panels.size() == 1);  // 4 MiB of copies
  for (const std::int64_t size : {4000, 10'000, test::sanitized() ? 10'001 : 30'000}) {
    const ProductDivision found = division(size);
    const std::int64_t allowed = std::max<std::int64_t>(std::int64_t{16} << 20, 3 * size * size * 8 / 16 / 2);
    std::int64_t depth = 0;
    for (const auto& panel : found.panels) depth = std::max(depth, total_count(panel));
    for (const ProductLines& lines : found.lines) {
      const std::int64_t of_panel = (lines.height() + lines.width()) * depth * 8;
      CHECK(of_panel <= allowed + allowed / 10);  // ranges are not all of one length
      CHECK(2 * of_panel > allowed);
    }
  }
}

TEST_CASE("a panel takes long beside its messages") {
  const std::vector<FlopsPerSecond> speeds(16, 1'000'000'000'000);
  const auto panels = [&](std::int64_t size) {
    return divide_product(in_blocks(size, 4, 4), 8, on_links(speeds, 1e9, one_cluster)).panels.size();
  };
  CHECK(panels(4000) == 1);  // 8 ms of computation
  CHECK(panels(10'000) > 4);
}

TEST_CASE("a division is better where it saves 5 % of the computation at the speeds of now") {
  const Speeds even(4, 1'000'000'000);
  const ProductMatrices matrices = in_blocks(1024, 2, 2);
  const auto better = [&](const Speeds& before, const Speeds& now) {
    return better_division(divide_product(matrices, 8, on_links(before, 1e9, one_cluster)), matrices, 8,
                           on_links(now, 1e9, one_cluster));
  };
  CHECK_FALSE(better(even, even));
  CHECK_FALSE(better(even, {960'000'000, 1'000'000'000, 1'000'000'000, 1'000'000'000}));
  const Speeds slow{1'000'000'000, 250'000'000, 1'000'000'000, 1'000'000'000};
  REQUIRE(better(even, slow));
  const GemmShape shape = matrices.shape(4);
  for (const Picoseconds time : computing_times(*better(even, slow), shape, slow)) {
    CHECK(static_cast<double>(time) == Approx(2e12 * 1024 * 1024 * 1024 / 3.25e9).epsilon(0.05));
  }
  REQUIRE(better(slow, even));
  CHECK(better(slow, even)->where_held);
}

TEST_CASE("computing times are those of ranks that compute") {
  const ProductDivision division{.lines = {{.rows = {{0, 2}}, .columns = {{0, 3}}}, {}}};
  CHECK(computing_times(division, {2, 3, 5}, Speeds{10, 10}) == std::vector<Picoseconds>{6'000'000'000'000, 0});
}

TEST_CASE("products of other shapes are refused") {
  const auto at = [](MatrixShape shape, int of) { return Distribution::at(0, shape, of); };
  const ProductMatrices good{.a = at({2, 3}, 2), .b = at({4, 3}, 2), .b_transposed = true, .c = at({2, 4}, 2)};
  CHECK(good.shape(2) == GemmShape{2, 4, 3});
  CHECK_THROWS_WITH(good.shape(3), Contains("on 2 ranks in a session of 3"));
  const ProductMatrices bad{.a = at({2, 3}, 2), .b = at({2, 3}, 2), .c = at({2, 3}, 2)};
  CHECK_THROWS_WITH(bad.shape(2), Contains("a product of 2 x 3 by 2 x 3 as a matrix of 2 x 3"));
}

TEST_CASE("other matrices have other fingerprints") {
  std::mt19937_64 random(10);
  std::vector<ProductMatrices> all;
  for (const auto& one : distributions(random, 12, 12, 5)) {
    all.push_back({.a = one, .b = one, .c = one});
    all.push_back({.a = one, .b = one, .c = Distribution::at(1, {12, 12}, 5)});
  }
  for (const auto& one : all) {
    for (const auto& other : all) CHECK((one.fingerprint() == other.fingerprint()) == (one == other));
  }
}
