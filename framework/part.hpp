#pragma once

#include <algorithm>
#include <cstdint>

namespace tombolo {

/// The numbers of rows and columns of a matrix.
struct MatrixShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool operator==(const MatrixShape&) const = default;
};

/// A rectangle of a matrix, possibly empty.
struct Part {
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  std::int64_t first_column = 0;
  std::int64_t columns = 0;

  std::int64_t elements() const { return rows * columns; }
  /// Returns the position of these elements in the transpose.
  Part transposed() const { return {first_column, columns, first_row, rows}; }
  bool operator==(const Part&) const = default;
};

/// Returns the intersection of two parts, a part without elements if they are disjoint.
inline Part overlap(const Part& one, const Part& other) {
  const auto common = [](std::int64_t begin, std::int64_t end) { return std::max<std::int64_t>(end - begin, 0); };
  const std::int64_t row = std::max(one.first_row, other.first_row);
  const std::int64_t column = std::max(one.first_column, other.first_column);
  return {row, common(row, std::min(one.first_row + one.rows, other.first_row + other.rows)), column,
          common(column, std::min(one.first_column + one.columns, other.first_column + other.columns))};
}

}  // namespace tombolo
