#pragma once

#include <cstdint>
#include <filesystem>

#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/atomic_file.hpp>

namespace tombolo {

/// Writes a matrix row by row into a C-ordered .npy file of version 1.0, which stands under its name after commit() and
/// not before; see AtomicFile, also for the errors.
///
///     check_writable("c.npy");  // before the long computation
///     NpyWriter writer("c.npy", ElementType::float64, {100, 50});
///     writer.append_rows(first_half.data(), 50);
///     writer.append_rows(second_half.data(), 50);
///     writer.commit();
///
/// Elements of another type, more rows than the shape has and a commit with fewer are std::logic_error.
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& target, ElementType type, const MatrixShape& shape);

  /// row_major[0, rows * columns) are the next rows. T is float, double or the complex of either.
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

/// Writes a matrix that is in memory as a whole.
template <Element T>
void write_npy_matrix(const std::filesystem::path& target, const MatrixShape& shape, const T* row_major) {
  NpyWriter writer(target, element_type_of<T>, shape);
  writer.append_rows(row_major, shape.rows);
  writer.commit();
}

}  // namespace tombolo
