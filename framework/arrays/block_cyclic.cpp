#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

/// The blocks of one dimension: their sizes, and the row or column of processes that has each.
struct Line {
  std::vector<std::int64_t> shares;
  std::vector<int> owners;
};

constexpr std::int64_t most_blocks = std::numeric_limits<int>::max();

std::int64_t blocks_of(std::int64_t size, std::int64_t block, std::int64_t first) {
  if (size == 0) return 0;
  const std::int64_t cut = first % block;  // of the first block, that is not in the part
  return (size - 1) / block + ((size - 1) % block + cut) / block + 1;
}

Line line(std::int64_t size, std::int64_t block, std::int64_t first, int source, int processes) {
  Line result;
  auto owner = static_cast<int>((source + first / block % processes) % processes);
  for (std::int64_t done = 0, share = block - first % block; done < size; done += share, share = block) {
    share = std::min(share, size - done);
    result.shares.push_back(share);
    result.owners.push_back(owner);
    owner = (owner + 1) % processes;
  }
  if (size == 0) result = {{0}, {source}};
  return result;
}

void check(const MatrixShape& shape, const BlockCyclic& how, std::int64_t first_row, std::int64_t first_column) {
  if (how.block.rows < 1 || how.block.columns < 1) {
    throw Error(fmt::format("blocks of {} x {}", how.block.rows, how.block.columns), "give blocks of 1 x 1 or more");
  }
  const std::int64_t processes = std::int64_t{how.grid_rows} * how.grid_columns;
  if (how.grid_rows < 1 || how.grid_columns < 1 ||
      (!how.ranks.empty() && static_cast<std::int64_t>(how.ranks.size()) != processes) ||
      std::set<Rank>(how.ranks.begin(), how.ranks.end()).size() != how.ranks.size()) {
    throw Error(
        fmt::format("a grid of {} x {} processes with {} ranks", how.grid_rows, how.grid_columns, how.ranks.size()),
        "give each process a rank of its own, or none at all");
  }
  if (how.source_row < 0 || how.source_row >= how.grid_rows || how.source_column < 0 ||
      how.source_column >= how.grid_columns) {
    throw Error(fmt::format("the first block at process {}, {} of a grid of {} x {}", how.source_row, how.source_column,
                            how.grid_rows, how.grid_columns),
                "give a process of the grid");
  }
  if (std::min({shape.rows, shape.columns, first_row, first_column}) < 0) {
    throw Error(fmt::format("a matrix of {} x {} from row {} and column {} on", shape.rows, shape.columns, first_row,
                            first_column),
                "give numbers of 0 or more");
  }
  const std::int64_t down = blocks_of(shape.rows, how.block.rows, first_row);
  const std::int64_t across = blocks_of(shape.columns, how.block.columns, first_column);
  if (down > most_blocks || across > most_blocks || down * across > most_blocks) {
    throw Error(fmt::format("{} x {} blocks", down, across), "give larger blocks: at most 2^31 - 1 of them");
  }
}

}  // namespace

Distribution block_cyclic(const MatrixShape& shape, const BlockCyclic& how, int all_ranks, std::int64_t first_row,
                          std::int64_t first_column) {
  check(shape, how, first_row, first_column);
  const Line rows = line(shape.rows, how.block.rows, first_row, how.source_row, how.grid_rows);
  const Line columns = line(shape.columns, how.block.columns, first_column, how.source_column, how.grid_columns);
  std::vector<Rank> owners;
  owners.reserve(rows.owners.size() * columns.owners.size());
  for (const int row : rows.owners) {
    for (const int column : columns.owners) {
      const std::int64_t process = std::int64_t{row} * how.grid_columns + column;
      owners.push_back(how.ranks.empty() ? static_cast<Rank>(process) : how.ranks[static_cast<std::size_t>(process)]);
    }
  }
  return Distribution::blocks(rows.shares, columns.shares, std::move(owners), all_ranks);
}

}  // namespace tombolo
