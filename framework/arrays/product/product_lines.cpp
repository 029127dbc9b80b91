#include <cstddef>
#include <map>

#include <tombolo/framework/arrays/product/product_lines.hpp>

namespace tombolo {
namespace {

/// Returns ranges by their beginnings as ranges that are not adjacent.
std::vector<InnerRange> joined(const std::map<std::int64_t, std::int64_t>& sizes) {
  std::vector<InnerRange> ranges;
  for (const auto& [first, count] : sizes) {
    if (!ranges.empty() && ranges.back().first + ranges.back().count == first) {
      ranges.back().count += count;
    } else {
      ranges.push_back({first, count});
    }
  }
  return ranges;
}

/// Returns the distribution with the elements where rows and columns of each rank meet.
template <class Rows, class Columns>
Distribution crossings(const MatrixShape& shape, std::span<const ProductLines> lines, const Rows& rows_of,
                       const Columns& columns_of) {
  std::vector<Part> parts;
  std::vector<Rank> owners;
  for (std::size_t rank = 0; rank < lines.size(); ++rank) {
    if (lines[rank].rows.empty()) continue;
    for (const InnerRange& rows : rows_of(lines[rank])) {
      for (const InnerRange& columns : columns_of(lines[rank])) {
        parts.push_back({rows.first, rows.count, columns.first, columns.count});
        owners.push_back(static_cast<Rank>(rank));
      }
    }
  }
  return Distribution::rectangles(shape, parts, owners, static_cast<int>(lines.size()));
}

std::span<const InnerRange> rows_of(const ProductLines& lines) {
  return lines.rows;
}
std::span<const InnerRange> columns_of(const ProductLines& lines) {
  return lines.columns;
}

}  // namespace

std::int64_t ProductLines::height() const {
  return total_count(rows);
}
std::int64_t ProductLines::width() const {
  return total_count(columns);
}

std::vector<ProductLines> lines_of(std::span<const Part> parts) {
  std::vector<ProductLines> lines(parts.size());
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const Part& part = parts[rank];
    if (part.elements() > 0) lines[rank] = {{{part.first_row, part.rows}}, {{part.first_column, part.columns}}};
  }
  return lines;
}

std::optional<std::vector<ProductLines>> lines_of(const Distribution& c) {
  if (!c.exact()) return std::nullopt;
  std::vector<ProductLines> lines;
  for (Rank rank = 0; rank < c.ranks(); ++rank) {
    std::map<std::int64_t, std::int64_t> rows;
    std::map<std::int64_t, std::int64_t> columns;
    for (const Part& part : c.parts(rank)) {
      if (part.elements() == 0) continue;
      // Parts of one beginning and two sizes form no grid.
      if (rows.emplace(part.first_row, part.rows).first->second != part.rows) return std::nullopt;
      if (columns.emplace(part.first_column, part.columns).first->second != part.columns) return std::nullopt;
    }
    lines.push_back({joined(rows), joined(columns)});
    // Parts do not overlap, so as many elements as have their rows and columns are these.
    if (lines.back().height() * lines.back().width() != c.elements(rank)) return std::nullopt;
  }
  return lines;
}

Distribution needed_of_a(const GemmShape& shape, std::span<const ProductLines> lines,
                         std::span<const InnerRange> panel) {
  return crossings({shape.m, shape.k}, lines, rows_of, [&](const ProductLines&) { return panel; });
}

Distribution needed_of_b(const GemmShape& shape, std::span<const ProductLines> lines,
                         std::span<const InnerRange> panel) {
  return crossings(
      {shape.k, shape.n}, lines, [&](const ProductLines&) { return panel; }, columns_of);
}

Distribution computed_of_c(const GemmShape& shape, std::span<const ProductLines> lines) {
  return crossings({shape.m, shape.n}, lines, rows_of, columns_of);
}

}  // namespace tombolo
