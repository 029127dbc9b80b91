#pragma once

#include <filesystem>

#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/atomic_file.hpp>

namespace tombolo {

/// What stands before the elements of a matrix in its file: the header of version 1.0, or nothing.
enum class FileForm { npy, raw };

/// A .npy file of version 1.0, or a raw one, that several processes write together, each its part of the matrix. It
/// stands under its name after commit() and not before; see AtomicFile, also for the errors. One process makes it and
/// tells the others its temporary(); all write behind the header; when all have succeeded that one commits. If it goes
/// without commit, because some process failed, nothing of it is left.
class NpySharedFile {
 public:
  /// Writes the header and takes the space for all elements. Errors: also a disk that is too full for them.
  NpySharedFile(const std::filesystem::path& target, ElementType type, const MatrixShape& shape, bool fortran_order,
                FileForm form = FileForm::npy);

  const std::filesystem::path& temporary() const { return file_.temporary(); }

  /// What has been written is not known here: the caller knows that all has.
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
};

/// What the one process has made, as another one needs to know it.
struct NpySharedPlace {
  std::filesystem::path target;
  std::filesystem::path temporary;
  Bytes data_offset = 0;
  Bytes bytes = 0;  ///< of the whole file

  static NpySharedPlace of(const std::filesystem::path& target, const std::filesystem::path& temporary,
                           ElementType type, const MatrixShape& shape, bool fortran_order,
                           FileForm form = FileForm::npy);

  /// Throws Error where this process does not see that file: its host does not share the file system.
  void check_seen() const;
};

}  // namespace tombolo
