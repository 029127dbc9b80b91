#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/shares.hpp>

/// `items` over ranks, some of which get none.
inline std::vector<std::int64_t> random_shares(std::mt19937_64& random, std::int64_t items, int ranks) {
  std::vector<std::int64_t> speeds(static_cast<std::size_t>(ranks));
  for (auto& speed : speeds) speed = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 100);
  speeds[random() % speeds.size()] = 50;
  return tombolo::proportional_shares(items, speeds);
}

/// Of a matrix: by rows, by columns, in blocks of every grid of so many ranks, and one whose parts have other owners.
inline std::vector<tombolo::Layout> layouts(std::mt19937_64& random, std::int64_t rows, std::int64_t columns,
                                            int ranks) {
  using tombolo::Layout;
  std::vector<Layout> all{Layout::rows(random_shares(random, rows, ranks), columns),
                          Layout::columns(rows, random_shares(random, columns, ranks))};
  for (int high = 1; high <= ranks; ++high) {
    if (ranks % high != 0) continue;
    all.push_back(Layout::blocks(random_shares(random, rows, high), random_shares(random, columns, ranks / high)));
  }
  std::vector<tombolo::Rank> owners(static_cast<std::size_t>(ranks));
  std::iota(owners.begin(), owners.end(), 0);
  std::shuffle(owners.begin(), owners.end(), random);
  all.push_back(all[random() % all.size()].placed(owners));
  return all;
}

/// All of A with all of B = A^T.
inline std::vector<std::pair<tombolo::Layout, tombolo::Layout>> layout_pairs(std::mt19937_64& random, std::int64_t rows,
                                                                             std::int64_t columns, int ranks) {
  std::vector<std::pair<tombolo::Layout, tombolo::Layout>> pairs;
  for (const auto& a : layouts(random, rows, columns, ranks)) {
    for (const auto& b : layouts(random, columns, rows, ranks)) pairs.emplace_back(a, b);
  }
  return pairs;
}
