#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Counts = std::vector<std::int64_t>;

namespace {

Counts random_counts(std::mt19937_64& random, int ranks) {
  Counts counts(static_cast<std::size_t>(ranks));
  for (auto& count : counts) count = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 9);
  return counts;
}

/// That every element of the matrix is in exactly one rank's part.
void check_partition(const Layout& layout) {
  const auto [rows, columns] = layout.shape();
  std::vector<int> owners(static_cast<std::size_t>(rows * columns), 0);
  for (Rank rank = 0; rank < layout.ranks(); ++rank) {
    const Part part = layout.part(rank);
    CHECK(layout.owner(layout.place(rank)) == rank);
    for (std::int64_t i = part.first_row; i < part.first_row + part.rows; ++i) {
      for (std::int64_t j = part.first_column; j < part.first_column + part.columns; ++j) {
        ++owners[static_cast<std::size_t>(i * columns + j)];
      }
    }
  }
  CHECK(owners == std::vector<int>(owners.size(), 1));
}

}  // namespace

TEST_CASE("parts share out the matrix, whatever the shares and owners") {
  std::mt19937_64 random(1);
  for (int p = 1; p <= 7; ++p) {
    for (int q = 1; q <= 5; ++q) {
      const Counts heights = random_counts(random, p);
      const Counts widths = random_counts(random, q);
      const Layout blocks = Layout::blocks(heights, widths);
      CHECK(blocks.ranks() == p * q);
      check_partition(blocks);
      check_partition(Layout::rows(heights, q));
      check_partition(Layout::columns(p, widths));
      std::vector<Rank> owners(static_cast<std::size_t>(p * q));
      for (std::size_t i = 0; i < owners.size(); ++i) owners[i] = static_cast<Rank>(i);
      std::shuffle(owners.begin(), owners.end(), random);
      const Layout placed = blocks.placed(owners);
      check_partition(placed);
      for (int place = 0; place < p * q; ++place) {
        CHECK(placed.part(owners[static_cast<std::size_t>(place)]) == blocks.part(place));
      }
    }
  }
}

TEST_CASE("layouts follow the worked examples") {
  const Layout rows = Layout::rows(Counts{2, 1}, 4);
  CHECK(rows.part(0) == Part{0, 2, 0, 4});
  CHECK(rows.part(1) == Part{2, 1, 0, 4});
  const Layout columns = Layout::columns(3, Counts{3, 1});
  CHECK(columns.part(1) == Part{0, 3, 3, 1});
  CHECK((columns.by_columns() && !rows.by_columns()));
  const Layout blocks = Layout::blocks(Counts{2, 1}, Counts{3, 1});
  CHECK(blocks.part(1) == Part{0, 2, 3, 1});
  CHECK(blocks.part(2) == Part{2, 1, 0, 3});
  CHECK(blocks.shape() == MatrixShape{3, 4});
  CHECK(blocks.placed({0, 1, 2, 3}) == blocks);
  CHECK_FALSE(blocks.placed({0, 2, 1, 3}) == blocks);
}

TEST_CASE("what parts have in common") {
  CHECK(overlap({0, 4, 0, 4}, {2, 4, 3, 9}) == Part{2, 2, 3, 1});
  CHECK(overlap({0, 4, 0, 4}, {4, 4, 0, 4}).elements() == 0);
  CHECK(overlap({0, 4, 0, 4}, {9, 4, 9, 4}).elements() == 0);
  CHECK(overlap({1, 0, 0, 4}, {0, 9, 0, 4}).elements() == 0);
  CHECK((Part{1, 2, 3, 4}.transposed() == Part{3, 4, 1, 2}));
}

TEST_CASE("sizes are of 64 bits") {
  const std::int64_t many = std::int64_t{1} << 29;
  const Layout blocks = Layout::blocks(Counts{many, many}, Counts{many, 1});
  CHECK(blocks.part(2) == Part{many, many, 0, many});
  CHECK(blocks.part(2).elements() == std::int64_t{1} << 58);
}

TEST_CASE("layouts that cannot be are errors") {
  CHECK_THROWS_AS(Layout::rows(Counts{}, 3), Error);
  CHECK_THROWS_AS(Layout::rows(Counts{1, -1}, 3), Error);
  CHECK_THROWS_AS(Layout::columns(-1, Counts{1}), Error);
  CHECK_THROWS_AS(Layout::rows(Counts{std::int64_t{1} << 60, 1}, 1), Error);
  CHECK_THROWS_AS(Layout::rows(Counts{std::int64_t{1} << 40}, std::int64_t{1} << 21), Error);
  const Layout two = Layout::rows(Counts{1, 1}, 2);
  CHECK_THROWS_AS(two.placed({0}), Error);
  CHECK_THROWS_AS(two.placed({0, 0}), Error);
  CHECK_THROWS_AS(two.placed({0, 2}), Error);
  CHECK_THROWS_AS(two.part(2), std::out_of_range);
  CHECK_THROWS_AS(two.part(-1), std::out_of_range);
  CHECK_THROWS_AS(two.owner(2), std::out_of_range);
}
