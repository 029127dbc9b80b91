#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <tombolo/counts.hpp>
#include <tombolo/framework/arrays/product/product_parts.hpp>
#include <tombolo/framework/matrix/gemm_lines.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

/// Returns the border of a dimension of size `to` that corresponds to a border of one of size `from`.
std::int64_t scaled(std::int64_t border, std::int64_t from, std::int64_t to) {
  return static_cast<std::int64_t>(static_cast<Wide>(border) * to / from);
}

std::vector<Rank> each_its_own(std::size_t ranks) {
  std::vector<Rank> owners(ranks);
  std::iota(owners.begin(), owners.end(), 0);
  return owners;
}

}  // namespace

std::int64_t total_count(std::span<const InnerRange> ranges) {
  return std::accumulate(ranges.begin(), ranges.end(), std::int64_t{0},
                         [](std::int64_t before, const InnerRange& range) { return before + range.count; });
}

ProductParts product_parts(const GemmShape& shape, std::vector<Part> c) {
  const auto [m, n, k] = shape;
  if (m < 0 || n < 0 || k < 0 || c.empty()) {
    throw Error(fmt::format("a product of {} x {} by {} x {} on {} ranks", m, k, k, n, c.size()),
                "give dimensions of 0 or more, and at least one rank");
  }
  ProductParts parts{std::vector<Part>(c.size()), std::vector<Part>(c.size()), std::move(c)};
  if (m == 0 || n == 0) {
    parts.a.front() = {0, m, 0, k};
    parts.b.front() = {0, k, 0, n};
    return parts;
  }
  for (std::size_t rank = 0; rank < parts.c.size(); ++rank) {
    const Part& mine = parts.c[rank];
    if (mine.elements() == 0) continue;
    const std::int64_t left = scaled(mine.first_column, n, k);
    const std::int64_t top = scaled(mine.first_row, m, k);
    parts.a[rank] = {mine.first_row, mine.rows, left, scaled(mine.first_column + mine.columns, n, k) - left};
    parts.b[rank] = {top, scaled(mine.first_row + mine.rows, m, k) - top, mine.first_column, mine.columns};
  }
  return parts;
}

Distribution part_by_rank(const MatrixShape& shape, std::span<const Part> parts) {
  return Distribution::rectangles(shape, parts, each_its_own(parts.size()), static_cast<int>(parts.size()));
}

std::vector<std::vector<InnerRange>> panels_of_inner(std::int64_t k, int panels, int pieces, std::int64_t shortest) {
  if (k < 0 || panels < 1 || pieces < 1 || shortest < 1) {
    throw Error(fmt::format("{} columns of A in {} panels of {} ranges of {} or more", k, panels, pieces, shortest),
                "give 0 or more columns and 1 or more of the rest");
  }
  const std::int64_t most = std::max<std::int64_t>(k / shortest, 1);  // ranges
  const std::int64_t wide = std::min<std::int64_t>(panels, most);
  const std::int64_t deep = std::min<std::int64_t>(pieces, most / wide);
  const Blocks ranges = Blocks::shared_out(static_cast<int>(wide * deep), k);
  std::vector<std::vector<InnerRange>> all(static_cast<std::size_t>(wide));
  for (int range = 0; range < ranges.size(); ++range) {
    all[static_cast<std::size_t>(range % wide)].push_back({ranges.offset(range), ranges.count(range)});
  }
  return all;
}

template <class T>
void multiply_panel(std::span<const InnerRange> panel, const MatrixShape& part, const Part& tile, bool is_first,
                    const T* a, const T* b, T* c, bool all_of_b) {
  for (const InnerRange& range : panel) {
    const T* const rows_of_b = all_of_b ? b + range.first * part.columns : b;
    gemm_lines<T>({.m = tile.rows, .n = tile.columns, .k = range.count}, 1,
                  {.first = a + tile.first_row * range.count, .stride = range.count},
                  {.first = rows_of_b + tile.first_column, .stride = part.columns}, is_first ? 0 : 1,
                  {.first = c + tile.first_row * part.columns + tile.first_column, .stride = part.columns});
    is_first = false;
    a += part.rows * range.count;
    if (!all_of_b) b += range.count * part.columns;
  }
}

template void multiply_panel(std::span<const InnerRange>, const MatrixShape&, const Part&, bool, const float*,
                             const float*, float*, bool);
template void multiply_panel(std::span<const InnerRange>, const MatrixShape&, const Part&, bool, const double*,
                             const double*, double*, bool);

}  // namespace tombolo
