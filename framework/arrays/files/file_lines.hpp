#pragma once

#include <cstdint>

#include <tombolo/framework/part.hpp>

namespace tombolo {

/// The position of a part of a matrix in a file, in elements: `lines` lines of `width` elements, `stride` from start to
/// start, the first at `first`. Lines are rows in C order, columns in Fortran order.
struct FileLines {
  std::int64_t first = 0;
  std::int64_t lines = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;

  bool operator==(const FileLines&) const = default;
};

/// Returns the lines of a part in a matrix file. Throws std::out_of_range for a part outside the matrix.
///
///     lines_of({1, 2, 0, 3}, {4, 5}, false)  ->  {5, 2, 3, 5}     two rows of three elements
///     lines_of({1, 2, 0, 3}, {4, 5}, true)   ->  {1, 3, 2, 4}     three columns of two elements
FileLines lines_of(const Part& part, const MatrixShape& shape, bool fortran_order);

/// Returns the same elements as one line if they are contiguous.
FileLines joined(const FileLines& lines);

}  // namespace tombolo
