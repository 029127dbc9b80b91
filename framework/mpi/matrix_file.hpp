#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include <mpi.h>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/mpi/shared_file.hpp>
#include <tombolo/framework/npy_header.hpp>
#include <tombolo/framework/npy_shared_file.hpp>

namespace tombolo {

// Matrices in .npy files, or in raw ones, that all ranks of a communicator read or write together, each any part of
// them, by MPI-IO. In memory a part is row after row, or column after column where column_major says so, whatever the
// order in the file. Where the two differ a rank takes 8 MiB more memory. Everything but a constructor's argument lists
// is collective: all ranks call it, those too whose part is empty; what fails on one rank throws the same AgreedError
// on all.

/// A file to read from.
class MatrixFileReader {
 public:
  /// The header is what this rank has read from that file, or says of a raw one what it holds. Errors: missing, a
  /// directory, not a matrix, changed since.
  MatrixFileReader(MPI_Comm communicator, const std::filesystem::path& path, const NpyHeader& header);

  /// to[0, part.elements()). column_major is the same on all ranks. Errors: elements of another type than T, a part
  /// that the matrix does not have, reading failed, the file was cut short meanwhile.
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

/// A file to write, which stands under its name after commit() and not before; if this goes without, nothing is left.
class MatrixFileWriter {
 public:
  /// Rank 0 writes the header and takes the space. Errors: see AtomicFile; a disk too full; a rank whose host does not
  /// share the file system.
  MatrixFileWriter(MPI_Comm communicator, const std::filesystem::path& target, ElementType type,
                   const MatrixShape& shape, bool fortran_order, FileForm form = FileForm::npy);

  /// from[0, part.elements()). column_major is the same on all ranks. Errors: elements of another type, a part that the
  /// matrix does not have, writing failed.
  template <Element T>
  void write(const Part& part, bool column_major, const T* from);

  /// Call once all parts have been written. Brings them to the disk first.
  void commit();

 private:
  MPI_Comm communicator_;
  std::filesystem::path target_;
  ElementType type_;
  MatrixShape shape_;
  bool fortran_order_;
  std::optional<NpySharedFile> made_;  // on rank 0; outlives file_, and removes what was not committed
  Bytes data_offset_ = 0;
  std::unique_ptr<SharedFile> file_;
};

/// One part of a file on every rank.
template <Element T>
void read_part(MPI_Comm communicator, const std::filesystem::path& path, const NpyHeader& header, const Part& part,
               bool column_major, T* to) {
  MatrixFileReader(communicator, path, header).read(part, column_major, to);
}

/// A whole file, of one part of every rank: it stands under its name if all have succeeded.
template <Element T>
void write_part(MPI_Comm communicator, const std::filesystem::path& target, const MatrixShape& shape, const Part& part,
                bool column_major, bool fortran_order, const T* from) {
  MatrixFileWriter file(communicator, target, element_type_of<T>, shape, fortran_order);
  file.write(part, column_major, from);
  file.commit();
}

}  // namespace tombolo
