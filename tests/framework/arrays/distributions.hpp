#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <tombolo/matrix.hpp>

#include "framework/arrays/layouts.hpp"

/// Of a matrix: on one rank, on all, by rows and columns, in blocks of any grids, with one owner and many for the
/// blocks, ranks that have none and ranks that have several.
inline std::vector<tombolo::Distribution> distributions(std::mt19937_64& random, std::int64_t rows,
                                                        std::int64_t columns, int ranks) {
  using tombolo::Distribution;
  using tombolo::Rank;
  const auto any_rank = [&] { return static_cast<Rank>(random() % static_cast<unsigned>(ranks)); };
  std::vector<Distribution> all{Distribution::at(any_rank(), {rows, columns}, ranks),
                                Distribution::everywhere({rows, columns}, ranks),
                                Distribution::rows(random_shares(random, rows, ranks), columns),
                                Distribution::rows(random_shares(random, rows, ranks), columns),
                                Distribution::columns(rows, random_shares(random, columns, ranks))};
  for (const tombolo::Layout& layout : layouts(random, rows, columns, ranks)) all.emplace_back(layout);
  for (int grid = 0; grid < 3; ++grid) {
    const int high = grid == 0 ? 2 * ranks : 1 + static_cast<int>(random() % 5);
    const int wide = grid == 0 ? 1 : 1 + static_cast<int>(random() % 5);
    std::vector<Rank> owners(static_cast<std::size_t>(high * wide));
    for (Rank& owner : owners) owner = any_rank();
    all.push_back(
        Distribution::blocks(random_shares(random, rows, high), random_shares(random, columns, wide), owners, ranks));
    std::sort(owners.begin(), owners.end());
    all.push_back(
        Distribution::blocks(random_shares(random, rows, high), random_shares(random, columns, wide), owners, ranks));
  }
  return all;
}

/// What a rank holds of the matrix whose elements are row * width + column; of the transpose of a matrix of that width.
template <class T>
std::vector<T> held_by(const tombolo::Distribution& distribution, tombolo::Rank rank, std::int64_t width,
                       bool transposed = false) {
  std::vector<T> values;
  for (const tombolo::Part& part : distribution.parts(rank)) {
    const bool across = distribution.by_columns();
    for (std::int64_t x = 0; x < (across ? part.columns : part.rows); ++x) {
      for (std::int64_t y = 0; y < (across ? part.rows : part.columns); ++y) {
        const std::int64_t row = part.first_row + (across ? y : x);
        const std::int64_t column = part.first_column + (across ? x : y);
        values.push_back(T(static_cast<float>(transposed ? column * width + row : row * width + column)));
      }
    }
  }
  return values;
}
