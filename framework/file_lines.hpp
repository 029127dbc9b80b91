#pragma once

#include <cstdint>

#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/npy_header.hpp>

namespace tombolo {

/// Where a part of a matrix is among the elements of a file: `width` of them in each of `lines` lines, which begin
/// `stride` apart. Lines are rows in C order, columns in Fortran order.
struct FileLines {
  std::int64_t first = 0;
  std::int64_t lines = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;

  bool operator==(const FileLines&) const = default;
};

/// Throws std::out_of_range for a part that the matrix does not have.
///
///     lines_of({1, 2, 0, 3}, {4, 5}, false)  ->  {5, 2, 3, 5}     two rows, of three elements each
///     lines_of({1, 2, 0, 3}, {4, 5}, true)   ->  {1, 3, 2, 4}     three columns, of two
FileLines lines_of(const Part& part, const MatrixShape& shape, bool fortran_order);

/// The same elements in one line where they follow one another without a gap.
FileLines joined(const FileLines& lines);

}  // namespace tombolo
