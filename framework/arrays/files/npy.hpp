#pragma once

#include <cstdint>
#include <filesystem>

#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/system/atomic_file.hpp>

namespace tombolo {

/// Reads rows [first_row, first_row + rows) of a matrix into row_major[0, rows * columns), row-major independent of the
/// order in the file. T is float, double or the complex of either. A Fortran-ordered file takes 8 MiB more memory. Many
/// processes may read rows of one file concurrently.
///
///     const NpyHeader header = read_npy_header("a.npy");
///     const MatrixShape shape = matrix_shape(header, "a.npy");
///     std::vector<double> top(static_cast<std::size_t>(10 * shape.columns));
///     read_npy_rows("a.npy", header, 0, 10, top.data());
///
/// Errors: not a matrix, elements of another type than T, the file changed since its header was read, a failed read.
/// Throws std::out_of_range for rows outside the matrix.
template <Element T>
void read_npy_rows(const std::filesystem::path& path, const NpyHeader& header, std::int64_t first_row,
                   std::int64_t rows, T* row_major);

/// Reads all rows.
template <Element T>
void read_npy_matrix(const std::filesystem::path& path, const NpyHeader& header, T* row_major) {
  read_npy_rows(path, header, 0, matrix_shape(header, path).rows, row_major);
}

/// Writes a matrix row by row into a C-ordered .npy file of version 1.0, which appears under its name after commit()
/// and not before; see AtomicFile, also for the errors.
///
///     check_writable("c.npy");  // before the long computation
///     NpyWriter writer("c.npy", ElementType::float64, {100, 50});
///     writer.append_rows(first_half.data(), 50);
///     writer.append_rows(second_half.data(), 50);
///     writer.commit();
///
/// Throws std::logic_error for elements of another type, more rows than the shape has, and a commit with fewer.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& target, ElementType type, const MatrixShape& shape);

  /// Appends the rows in row_major[0, rows * columns). T is float, double or the complex of either.
  template <Element T>
  void append_rows(const T* row_major, std::int64_t rows) {
    append(element_type_of<T>, row_major, rows);
  }

  void commit();

 private:
  void append(ElementType type, const void* row_major, std::int64_t rows);

  ElementType type_;
  MatrixShape shape_;
  std::int64_t rows_written_ = 0;
  AtomicFile file_;
};

/// Writes a whole matrix from memory.
template <Element T>
void write_npy_matrix(const std::filesystem::path& target, const MatrixShape& shape, const T* row_major) {
  NpyWriter writer(target, element_type_of<T>, shape);
  writer.append_rows(row_major, shape.rows);
  writer.commit();
}

}  // namespace tombolo
