#pragma once

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
Part overlap(const Part& one, const Part& other);

}  // namespace tombolo
