#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include <mpi.h>

#include <tombolo/framework/arrays/files/npy_shared_file.hpp>
#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/mpi/arrays/shared_file.hpp>
#include <tombolo/framework/npy_header.hpp>

namespace tombolo {

// Parallel input and output of matrices in .npy or raw files by MPI-IO; each rank of a communicator transfers any part.
// In memory a part is row-major, or column-major if column_major is set, independent of the order in the file. If the
// two orders differ, a rank takes 8 MiB more memory. Everything is collective: ranks with an empty part call too; a
// failure on one rank throws the same AgreedError on all ranks.

/// A matrix file to read.
class MatrixFileReader {
 public:
  /// `header` is the header read from the file, or describes the content of a raw file. Errors: missing, a directory,
  /// not a matrix, changed since the header was read.
  MatrixFileReader(MPI_Comm communicator, const std::filesystem::path& path, const NpyHeader& header);

  /// Reads `part` into to[0, part.elements()). column_major is the same on all ranks. Errors: elements of another type
  /// than T, a part outside the matrix, a failed read, a file truncated meanwhile.
  template <Element T>
  void read(const Part& part, bool column_major, T* to);

 private:
  void check_size();

  MPI_Comm communicator_;
  std::filesystem::path path_;
  NpyHeader header_;
  MatrixShape shape_;
  SharedFile file_;
};

/// A matrix file to write. The file appears under its name after commit() and not before; destruction without commit()
/// leaves nothing behind.
class MatrixFileWriter {
 public:
  /// Rank 0 writes the header and reserves the space. Errors: see AtomicFile; disk full; a rank whose host does not
  /// share the file system.
  MatrixFileWriter(MPI_Comm communicator, const std::filesystem::path& target, ElementType type,
                   const MatrixShape& shape, bool fortran_order, FileForm form = FileForm::npy);

  /// Writes `part` from from[0, part.elements()). column_major is the same on all ranks. Errors: elements of another
  /// type, a part outside the matrix, a failed write.
  template <Element T>
  void write(const Part& part, bool column_major, const T* from);

  /// Flushes the file to disk and gives it its name. Call after all parts have been written.
  void commit();

 private:
  MPI_Comm communicator_;
  std::filesystem::path target_;
  ElementType type_;
  MatrixShape shape_;
  bool fortran_order_;
  std::optional<NpySharedFile> made_;  // on rank 0; outlives file_; removes an uncommitted file
  Bytes data_offset_ = 0;
  std::unique_ptr<SharedFile> file_;
};

/// Reads one part of a file on every rank.
template <Element T>
void read_part(MPI_Comm communicator, const std::filesystem::path& path, const NpyHeader& header, const Part& part,
               bool column_major, T* to) {
  MatrixFileReader(communicator, path, header).read(part, column_major, to);
}

/// Writes a whole file from one part of every rank; the file appears under its name if all ranks succeed.
template <Element T>
void write_part(MPI_Comm communicator, const std::filesystem::path& target, const MatrixShape& shape, const Part& part,
                bool column_major, bool fortran_order, const T* from) {
  MatrixFileWriter file(communicator, target, element_type_of<T>, shape, fortran_order);
  file.write(part, column_major, from);
  file.commit();
}

/// Returns the shape of the matrix in a .npy file, for the declaration of a program that reads it. Throws AgreedError:
/// see read_npy_header; an array of other than two dimensions. Collective, with the same path.
MatrixShape shape_in_file(MPI_Comm communicator, const std::filesystem::path& path);

}  // namespace tombolo
