#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/matrix.hpp>

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

/// The rank of the one part with an element.
Rank owner_of(const Distribution& distribution, std::int64_t row, std::int64_t column) {
  const auto blocks = distribution.blocks_in({row, 1, column, 1});
  REQUIRE(blocks.size() == 1);
  return distribution.owner(blocks.front(), 0);
}

/// ScaLAPACK's INDXG2P, for indices from 0 on.
int process_of(std::int64_t index, std::int64_t block, int source, int processes) {
  return static_cast<int>((source + index / block) % processes);
}

/// ScaLAPACK's NUMROC: how many of n rows or columns a process has.
std::int64_t count_of(std::int64_t n, std::int64_t block, int process, int source, int processes) {
  const std::int64_t blocks = n / block;
  const int distance = (processes + process - source) % processes;
  std::int64_t count = blocks / processes * block;
  if (distance < blocks % processes) count += block;
  if (distance == blocks % processes) count += n % block;
  return count;
}

}  // namespace

TEST_CASE("elements belong to the processes of ScaLAPACK") {
  std::mt19937_64 random(1);
  const auto any = [&](int from, int to) {
    return from + static_cast<int>(random() % static_cast<unsigned>(to - from));
  };
  for (int trial = 0; trial < 200; ++trial) {
    BlockCyclic how{.block = {any(1, 6), any(1, 6)}, .grid_rows = any(1, 4), .grid_columns = any(1, 4)};
    how.source_row = any(0, how.grid_rows);
    how.source_column = any(0, how.grid_columns);
    const int processes = how.grid_rows * how.grid_columns;
    const int ranks = processes + any(0, 3);
    std::vector<Rank> grid(static_cast<std::size_t>(ranks));
    std::iota(grid.begin(), grid.end(), 0);
    if (any(0, 2) == 0) {
      std::shuffle(grid.begin(), grid.end(), random);
      how.ranks.assign(grid.begin(), grid.begin() + processes);
    }
    const MatrixShape shape{any(0, 20), any(0, 20)};
    const Distribution whole = block_cyclic(shape, how, ranks);
    CHECK(whole.shape() == shape);
    CHECK(whole.exact());
    for (std::int64_t i = 0; i < shape.rows; ++i) {
      for (std::int64_t j = 0; j < shape.columns; ++j) {
        const int process = process_of(i, how.block.rows, how.source_row, how.grid_rows) * how.grid_columns +
                            process_of(j, how.block.columns, how.source_column, how.grid_columns);
        REQUIRE(owner_of(whole, i, j) == grid[static_cast<std::size_t>(process)]);
      }
    }
    for (int process = 0; process < processes; ++process) {
      CHECK(whole.elements(grid[static_cast<std::size_t>(process)]) ==
            count_of(shape.rows, how.block.rows, process / how.grid_columns, how.source_row, how.grid_rows) *
                count_of(shape.columns, how.block.columns, process % how.grid_columns, how.source_column,
                         how.grid_columns));
    }
    if (shape.rows == 0 || shape.columns == 0) continue;
    const int top = any(0, static_cast<int>(shape.rows));
    const int left = any(0, static_cast<int>(shape.columns));
    const Distribution part = block_cyclic({shape.rows - top, shape.columns - left}, how, ranks, top, left);
    for (std::int64_t i = top; i < shape.rows; ++i) {
      for (std::int64_t j = left; j < shape.columns; ++j)
        REQUIRE(owner_of(part, i - top, j - left) == owner_of(whole, i, j));
    }
  }
}

TEST_CASE("blocks as large as the matrix and much larger") {
  const BlockCyclic huge{.block = {std::int64_t{1} << 62, 3}, .grid_rows = 2, .source_row = 1};
  CHECK(block_cyclic({5, 3}, huge, 2) == Distribution::at(1, {5, 3}, 2));
  const BlockCyclic rows{.block = {4, 100}, .grid_rows = 3};
  CHECK(block_cyclic({10, 7}, rows, 3) == Distribution::rows(std::vector<std::int64_t>{4, 4, 2}, 7));
}

TEST_CASE("a block-cyclic distribution refuses what ScaLAPACK has no name for") {
  const auto refused = [](BlockCyclic how, MatrixShape shape = {4, 4}, std::int64_t first = 0) {
    block_cyclic(shape, how, 4, first, 0);
  };
  CHECK_THROWS_WITH(refused({.block = {0, 2}}), Contains("blocks of 0 x 2"));
  CHECK_THROWS_WITH(refused({.block = {1, 1}, .grid_rows = 0}), Contains("a grid of 0 x 1"));
  CHECK_THROWS_WITH(refused({.block = {1, 1}, .grid_rows = 2, .ranks = {0}}), Contains("2 x 1 processes with 1 ranks"));
  CHECK_THROWS_WITH(refused({.block = {1, 1}, .grid_rows = 2, .ranks = {1, 1}}), Contains("a rank of its own"));
  CHECK_THROWS_WITH(refused({.block = {1, 1}, .source_row = 1}), Contains("first block at process 1, 0"));
  CHECK_THROWS_WITH(refused({.block = {1, 1}}, {4, 4}, -1), Contains("from row -1"));
  CHECK_THROWS_WITH(refused({.block = {1, 1}}, {1 << 20, 1 << 20}), Contains("larger blocks"));
  CHECK_THROWS_WITH(refused({.block = {1, 1}, .grid_rows = 5}, {9, 9}), Contains("rank 4"));
}
