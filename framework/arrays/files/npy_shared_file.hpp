#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <tombolo/framework/matrix/strided_copy.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/platform/system/atomic_file.hpp>

namespace tombolo {

/// A .npy file of version 1.0, or a raw file, written by several processes, each its part of the matrix. The file
/// appears under its name after commit() and not before; see AtomicFile, also for the errors. One process makes the
/// file and tells the others its temporary(); all write behind the header; after all have succeeded this process
/// commits. Destruction without commit(), after a failure of any process, leaves nothing behind.
class NpySharedFile {
 public:
  /// Writes the header and reserves the space for all elements. Errors: as AtomicFile; a disk too full for the
  /// elements.
  NpySharedFile(const std::filesystem::path& target, ElementType type, const MatrixShape& shape, bool fortran_order,
                FileForm form = FileForm::npy, AtomicFile::Writers writers = AtomicFile::Writers::this_host);
  /// The same in a .npy file that stays as partial_of(target) without a commit().
  NpySharedFile(const std::filesystem::path& target, ElementType type, const MatrixShape& shape, bool fortran_order,
                AtomicFile::Begin begin);

  const std::filesystem::path& temporary() const { return file_.temporary(); }

  /// Gives the file its name. The caller ensures that all processes have written their parts.
  void commit() { file_.commit(); }

 private:
  void reserve(const std::string& header, ElementType type, const MatrixShape& shape);

  AtomicFile file_;
};

/// A description of the file for the other processes.
struct NpySharedPlace {
  std::filesystem::path target;
  std::filesystem::path temporary;
  Bytes data_offset = 0;
  Bytes bytes = 0;  ///< size of the whole file

  static NpySharedPlace of(const std::filesystem::path& target, const std::filesystem::path& temporary,
                           ElementType type, const MatrixShape& shape, bool fortran_order,
                           FileForm form = FileForm::npy);

  /// Throws Error if this process does not see the file: its host does not share the file system.
  void check_seen() const;
};

/// Returns the place of a part of a matrix in a file: lines are rows in C order, columns in Fortran order. Throws
/// std::out_of_range for a part outside the matrix.
///
///     lines_of({1, 2, 0, 3}, {4, 5}, false)  ->  {5, 2, 3, 5}     two rows of three elements
///     lines_of({1, 2, 0, 3}, {4, 5}, true)   ->  {1, 3, 2, 4}     three columns of two elements
Strided lines_of(const Part& part, const MatrixShape& shape, bool fortran_order);

/// Returns the same elements as one line if they are contiguous.
Strided joined(const Strided& lines);

}  // namespace tombolo
