#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/product/copies_by_group.hpp>
#include <tombolo/framework/arrays/product/product_lines.hpp>
#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/framework/partition/rectangles.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "framework/arrays/carried_out.hpp"

using namespace tombolo;

namespace {

using Speeds = std::vector<FlopsPerSecond>;

/// Whole numbers, so that the order of sums makes no difference.
std::vector<double> integers(std::int64_t rows, std::int64_t columns, std::uint64_t stream) {
  std::vector<double> values(index(rows * columns));
  fill_random(9, stream, 0, rows, columns, values.data());
  for (double& value : values) value = std::round(value * 8);
  return values;
}

/// What a rank holds of a matrix, part after part.
std::vector<double> held(const std::vector<double>& whole, const Distribution& distribution, Rank rank) {
  std::vector<double> mine;
  for (const Part& part : distribution.parts(rank)) {
    for (std::int64_t i = 0; i < part.rows; ++i) {
      const auto row = whole.begin() + (part.first_row + i) * distribution.shape().columns + part.first_column;
      mine.insert(mine.end(), row, row + part.columns);
    }
  }
  return mine;
}

/// Moves a matrix between all ranks in one process.
PerRank<double> moved(const Redistribution& moves, const PerRank<double>& from) {
  const int ranks = moves.ranks();
  constexpr Bytes element = sizeof(double);
  PerRank<double> sent(index(ranks)), to(index(ranks)), packed(index(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    const RankMove mine(moves, rank);
    packed[index(rank)].resize(index(mine.packed_room()));
    to[index(rank)].resize(index(moves.to().elements(rank)), -7);
    auto source = from[index(rank)];
    const MoveMemory memory{bytes(source), bytes(to[index(rank)]), bytes(packed[index(rank)]), nullptr};
    if (mine.packs()) mine.pack(element, memory);
    const auto* const first = reinterpret_cast<const double*>(mine.sent(element, memory));
    sent[index(rank)].assign(first, first + moves.sends(rank));
  }
  PerRank<double> received = carried_out(moves, sent);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const RankMove mine(moves, rank);
    auto source = from[index(rank)];
    auto& got = received[index(rank)];
    if (mine.arrived_room() == 0) std::copy(got.begin(), got.end(), to[index(rank)].begin());
    const MoveMemory memory{bytes(source), bytes(to[index(rank)]), nullptr, bytes(got)};
    mine.unpack(element, memory);
  }
  return to;
}

/// Moves a matrix to its copies, by way of copies for each group if there are groups.
PerRank<double> brought(const Distribution& from, const Distribution& to, const PerRank<double>& values,
                        const std::vector<int>& groups) {
  if (groups.empty()) return moved({from, to}, values);
  const Distribution copies = copies_by_group(from, to, groups);
  return moved({copies, to}, moved({from, copies}, values));
}

/// C, computed panel by panel on imagined ranks, is the product.
bool is_product(const GemmShape& shape, const ProductParts& parts, const Distribution& a, const Distribution& b,
                int panels, int pieces, const std::vector<int>& groups = {}) {
  const auto [m, n, k] = shape;
  const int ranks = static_cast<int>(parts.c.size());
  const auto all_a = integers(m, k, 0);
  const auto all_b = integers(k, n, 1);
  PerRank<double> own_a, own_b, c(index(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    own_a.push_back(held(all_a, a, rank));
    own_b.push_back(held(all_b, b, rank));
    c[index(rank)].resize(index(parts.c[index(rank)].elements()), std::nan(""));
  }
  bool is_first = true;
  for (const auto& panel : panels_of_inner(k, panels, pieces, 2)) {
    const PerRank<double> of_a = brought(a, needed_of_a(shape, lines_of(parts.c), panel), own_a, groups);
    const PerRank<double> of_b = brought(b, needed_of_b(shape, lines_of(parts.c), panel), own_b, groups);
    for (Rank rank = 0; rank < ranks; ++rank) {
      const Part& mine = parts.c[index(rank)];
      for (std::int64_t row = 0; row < mine.rows; row += 3) {
        for (std::int64_t column = 0; column < mine.columns; column += 4) {
          const Part tile{row, std::min<std::int64_t>(3, mine.rows - row), column,
                          std::min<std::int64_t>(4, mine.columns - column)};
          multiply_panel(panel, {mine.rows, mine.columns}, tile, is_first, of_a[index(rank)].data(),
                         of_b[index(rank)].data(), c[index(rank)].data());
        }
      }
    }
    is_first = false;
  }
  std::vector<double> product(index(m * n));
  gemm(shape, all_a.data(), all_b.data(), product.data());
  const Distribution of_c = part_by_rank({m, n}, parts.c);
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (c[index(rank)] != held(product, of_c, rank)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("parts of A and B follow those of C") {
  const ProductParts parts = product_parts({4, 4, 8}, {{0, 4, 0, 1}, {0, 4, 1, 3}});
  CHECK(parts.a == std::vector<Part>{{0, 4, 0, 2}, {0, 4, 2, 6}});
  CHECK(parts.b == std::vector<Part>{{0, 8, 0, 1}, {0, 8, 1, 3}});
  CHECK(panels_of_inner(16, 2, 2, 4) == std::vector<std::vector<InnerRange>>{{{0, 4}, {8, 4}}, {{4, 4}, {12, 4}}});
  CHECK(panels_of_inner(7, 4, 4, 4) == std::vector<std::vector<InnerRange>>{{{0, 7}}});
  CHECK(panels_of_inner(0, 3, 2, 1) == std::vector<std::vector<InnerRange>>{{{0, 0}}});
  CHECK_THROWS_AS(product_parts({4, -1, 8}, {{}}), Error);
  CHECK_THROWS_AS(product_parts({4, 1, 8}, {}), Error);
  CHECK_THROWS_AS(panels_of_inner(4, 0, 1, 1), Error);
}

TEST_CASE("A and B are covered once, with the shares of C") {
  std::mt19937_64 random(6);
  for (const int ranks : {1, 2, 3, 7, 16, 61}) {
    for (const GemmShape& shape : {GemmShape{90, 70, 50}, GemmShape{3, 400, 2}, GemmShape{1, 1, 1}, GemmShape{5, 7, 0},
                                   GemmShape{0, 3, 4}, GemmShape{4, 0, 3}}) {
      Speeds speeds(index(ranks));
      for (auto& speed : speeds) speed = static_cast<FlopsPerSecond>(1 + random() % 9);
      const ProductParts parts = product_parts(shape, column_partition({shape.m, shape.n}, speeds));
      CHECK(part_by_rank({shape.m, shape.k}, parts.a).exact());
      CHECK(part_by_rank({shape.k, shape.n}, parts.b).exact());
      CHECK(part_by_rank({shape.m, shape.n}, parts.c).exact());
    }
  }
}

TEST_CASE("panels of all ranks multiply to the product, from wherever A and B are") {
  std::mt19937_64 random(7);
  for (const int ranks : {1, 2, 3, 5, 8, 13}) {
    for (const GemmShape& shape : {GemmShape{31, 23, 29}, GemmShape{2, 40, 9}, GemmShape{40, 1, 3}, GemmShape{6, 5, 0},
                                   GemmShape{0, 5, 4}, GemmShape{17, 16, 1}}) {
      Speeds speeds(index(ranks));
      for (auto& speed : speeds) speed = static_cast<FlopsPerSecond>(random() % 5);
      speeds[random() % speeds.size()] = 5;
      const ProductParts parts = product_parts(shape, column_partition({shape.m, shape.n}, speeds));
      const MatrixShape of_a{shape.m, shape.k}, of_b{shape.k, shape.n};
      INFO(shape.m << " x " << shape.n << " x " << shape.k << " on " << ranks);
      CHECK(is_product(shape, parts, part_by_rank(of_a, parts.a), part_by_rank(of_b, parts.b), 1, 1));
      CHECK(is_product(shape, parts, part_by_rank(of_a, parts.a), part_by_rank(of_b, parts.b), 3, 2));
      CHECK(is_product(shape, parts, Distribution::at(ranks - 1, of_a, ranks), Distribution::everywhere(of_b, ranks), 2,
                       4));
      const Distribution rows = Distribution::rows(equal_shares(shape.m, ranks), shape.k);
      const Distribution columns = Distribution::columns(shape.k, equal_shares(shape.n, ranks));
      CHECK(is_product(shape, parts, rows, part_by_rank(of_b, parts.b), 2, 2));
      CHECK(columns.exact());
      std::vector<int> groups(index(ranks));
      for (int& group : groups) group = static_cast<int>(random() % 3);
      CHECK(is_product(shape, parts, part_by_rank(of_a, parts.a), part_by_rank(of_b, parts.b), 3, 2, groups));
      CHECK(is_product(shape, parts, rows, Distribution::at(0, of_b, ranks), 2, 2, groups));
    }
  }
}
