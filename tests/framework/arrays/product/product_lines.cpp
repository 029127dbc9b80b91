#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/product/product_lines.hpp>

#include "framework/arrays/distributions.hpp"

using namespace tombolo;

namespace {

bool has(const std::vector<InnerRange>& ranges, std::int64_t place) {
  return std::ranges::any_of(
      ranges, [&](const InnerRange& range) { return range.first <= place && place < range.first + range.count; });
}

/// How often a rank has each element, row by row.
std::vector<int> times_held(const Distribution& matrix, Rank rank) {
  const auto [rows, columns] = matrix.shape();
  std::vector<int> times(static_cast<std::size_t>(rows * columns), 0);
  for (const Part& part : matrix.parts(rank)) {
    for (std::int64_t i = part.first_row; i < part.first_row + part.rows; ++i) {
      for (std::int64_t j = part.first_column; j < part.first_column + part.columns; ++j)
        ++times[static_cast<std::size_t>(i * columns + j)];
    }
  }
  return times;
}

template <class Row, class Column>
std::vector<int> crossings(std::int64_t rows, std::int64_t columns, const Row& row, const Column& column) {
  std::vector<int> times;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) times.push_back(row(i) && column(j) ? 1 : 0);
  }
  return times;
}

void check_lines(const Distribution& c, const std::vector<ProductLines>& lines) {
  const GemmShape shape{.m = c.shape().rows, .n = c.shape().columns, .k = 11};
  const std::vector<InnerRange> panel{{1, 3}, {7, 2}};
  const auto in_panel = [&](std::int64_t k) { return has(panel, k); };
  for (Rank rank = 0; rank < c.ranks(); ++rank) {
    const ProductLines& mine = lines[static_cast<std::size_t>(rank)];
    const auto in_rows = [&](std::int64_t i) { return has(mine.rows, i); };
    const auto in_columns = [&](std::int64_t j) { return has(mine.columns, j); };
    REQUIRE(mine.height() * mine.width() == c.elements(rank));
    REQUIRE(times_held(c, rank) == crossings(shape.m, shape.n, in_rows, in_columns));
    REQUIRE(times_held(computed_of_c(shape, lines), rank) == times_held(c, rank));
    REQUIRE(times_held(needed_of_a(shape, lines, panel), rank) == crossings(shape.m, shape.k, in_rows, in_panel));
    REQUIRE(times_held(needed_of_b(shape, lines, panel), rank) == crossings(shape.k, shape.n, in_panel, in_columns));
  }
}

}  // namespace

TEST_CASE("a rank that has all crossings of some rows and columns has lines, and no other one") {
  std::mt19937_64 random(7);
  int with = 0;
  int without = 0;
  for (const int ranks : {1, 2, 3, 5, 8, 13}) {
    for (const auto& [m, n] : {std::pair{7, 5}, {12, 18}, {1, 9}, {9, 1}, {0, 4}}) {
      for (const Distribution& c : distributions(random, m, n, ranks)) {
        INFO(m << " x " << n << " on " << ranks);
        const auto lines = lines_of(c);
        lines ? ++with : ++without;
        if (lines) check_lines(c, *lines);
        if (c.root() || (c.grid_rows() == ranks && c.grid_columns() == 1 && c.exact())) CHECK((lines || ranks == 1));
      }
    }
  }
  CHECK(with > 100);
  CHECK(without > 20);
}

TEST_CASE("block-cyclic matrices have lines") {
  std::mt19937_64 random(8);
  const auto any = [&](int from, int to) {
    return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
  };
  for (int trial = 0; trial < 300; ++trial) {
    BlockCyclic how{.block = {any(1, 5), any(1, 5)}, .grid_rows = any(1, 4), .grid_columns = any(1, 4)};
    const Distribution c =
        block_cyclic({any(0, 20), any(0, 20)}, how, how.grid_rows * how.grid_columns + any(0, 2), any(0, 9), any(0, 9));
    const auto lines = lines_of(c);
    REQUIRE(lines);
    check_lines(c, *lines);
  }
}

TEST_CASE("rectangles have lines") {
  const std::vector<Part> parts{{0, 2, 0, 5}, {2, 4, 0, 3}, {2, 0, 0, 0}, {2, 4, 3, 2}};
  const auto lines = lines_of(parts);
  CHECK(lines[1] == ProductLines{{{2, 4}}, {{0, 3}}});
  CHECK(lines[2] == ProductLines{});
  check_lines(part_by_rank({6, 5}, parts), lines);
}
