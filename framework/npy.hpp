#pragma once

#include <cstdint>
#include <filesystem>

#include <tombolo/framework/npy_header.hpp>

namespace tombolo {

/// Reads rows [first_row, first_row + rows) of a matrix into row_major[0, rows * columns), row after row whatever the
/// order in the file. T is float, double or the complex of either. A Fortran-ordered file takes 8 MiB more memory. Many
/// processes may read rows of one file at once.
///
///     const NpyHeader header = read_npy_header("a.npy");
///     const MatrixShape shape = matrix_shape(header, "a.npy");
///     std::vector<double> top(static_cast<std::size_t>(10 * shape.columns));
///     read_npy_rows("a.npy", header, 0, 10, top.data());
///
/// Errors: not a matrix, elements of another type than T, the file changed since its header was read, reading failed.
/// Throws std::out_of_range for rows that the matrix does not have.
template <Element T>
void read_npy_rows(const std::filesystem::path& path, const NpyHeader& header, std::int64_t first_row,
                   std::int64_t rows, T* row_major);

/// The same for all rows.
template <Element T>
void read_npy_matrix(const std::filesystem::path& path, const NpyHeader& header, T* row_major) {
  read_npy_rows(path, header, 0, matrix_shape(header, path).rows, row_major);
}

}  // namespace tombolo
