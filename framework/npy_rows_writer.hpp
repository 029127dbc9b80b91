#pragma once

#include <cstdint>
#include <filesystem>

#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/atomic_file.hpp>

namespace tombolo {

/// A C-ordered .npy file of version 1.0 that several processes write together, each its rows. It stands under its name
/// after commit() and not before; see AtomicFile, also for the errors. One process makes it and tells the others its
/// temporary(); all write; when all have succeeded that one commits.
///
///     NpyRowsFile file("b.npy", ElementType::float64, {100, 50});                            // on one
///     write_npy_rows("b.npy", temporary, {100, 50}, first_row, rows, slice.data());          // on each, at once
///     file.commit();                                                                         // after all, on the one
///
/// If it goes without commit, because some process failed, nothing of it is left.
class NpyRowsFile {
 public:
  /// Writes the header and takes the space for all rows. Errors: also a disk that is too full for them.
  NpyRowsFile(const std::filesystem::path& target, ElementType type, const MatrixShape& shape);

  const std::filesystem::path& temporary() const { return file_.temporary(); }

  /// Which rows have been written is not known here: the caller knows that all have.
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
};

/// Writes rows [first_row, first_row + rows), row_major[0, rows * columns), into the temporary file that NpyRowsFile
/// made for this target, type and shape, and brings them to the disk. Errors: this process does not see that file (its
/// host does not share the file system), writing failed. Throws std::out_of_range for rows that the matrix does not
/// have.
template <Element T>
void write_npy_rows(const std::filesystem::path& target, const std::filesystem::path& temporary,
                    const MatrixShape& shape, std::int64_t first_row, std::int64_t rows, const T* row_major);

}  // namespace tombolo
