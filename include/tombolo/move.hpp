#pragma once

// Distributed matrices: from one distribution to another, their products, and in files.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <type_traits>

#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/matrix.hpp>

namespace tombolo {

class Session;

/// Copies a matrix from one distribution to another: from from[0, before.elements(rank)) to to[0,
/// after.elements(rank)), which must not overlap. `type` has elements of `element` bytes without gaps. A pair of
/// distributions becomes one collective operation at most (docs/arrays.md); the elements to be packed and those to be
/// unpacked, at most as many as `from` and `to`, take memory of their own. Throws Error for distributions of other
/// shapes or on another number of ranks and for a type of another size, and as the collectives do. Collective: all
/// ranks pass the same distributions, element and type.
///
///     move(*collectives, Distribution::at(0, {n, n}, ranks), Distribution::rows(shares, n), sizeof(double),
///          MPI_DOUBLE, a, slice);
void move(Collectives& collectives, const Distribution& before, const Distribution& after, Bytes element,
          MPI_Datatype type, const void* from, void* to);

/// Copies the transpose of a matrix: `after` is a distribution of the transpose. As move() otherwise.
void transpose(Collectives& collectives, const Distribution& before, const Distribution& after, Bytes element,
               MPI_Datatype type, const void* from, void* to);

/// Memory of a rank in transpose_in_place(), in elements.
struct InPlaceMemory {
  std::int64_t buffer = 0;     ///< as many as the larger part of the rank, and some more if others send faster
  std::int64_t a_at = 0;       ///< start of A in the buffer, up to its end; B starts at 0
  std::int64_t workspace = 0;  ///< about an eighth of A
};
/// Returns the memory of a rank for the transpose of A into B. Both are by rows or both by columns, of any shares, or
/// every part of A is a part of B as a whole (blocks in a grid and its transpose); throws Error for other layouts and
/// std::out_of_range for a rank out of range. Local.
InPlaceMemory in_place_memory(const Layout& a, const Layout& b, Rank rank);

/// Transposes a matrix over the ranks in place: before, A lies in the buffer as in_place_memory() says; after, B.
/// Throws as in_place_memory() and move(). Collective: all ranks pass the same layouts, each its own memory.
template <Element T>
void transpose_in_place(Session& session, Collectives& collectives, const Layout& a, const Layout& b, T* buffer,
                        T* workspace);

/// A matrix of a product, in the memory of the ranks: elements[0, distribution.elements(rank)).
template <Element T>
struct Factor {
  Distribution distribution;
  const T* elements = nullptr;
  bool transposed = false;  ///< the product is of its transpose
  bool conjugated = false;  ///< the product is of its conjugate, where T is complex
};

/// Computes C = alpha A B + beta C, where A or B may be the transpose, the conjugate or both of what is in memory
/// (docs/products.md). A is m x
/// k, B k x n, C m x n; any of them may be 0, and any distribution will do, also one where ranks have nothing. A
/// replicated C gets the same elements everywhere. C is not read if beta is 0, A and B not if alpha is 0. C must not
/// overlap A or B.
///
/// Each rank computes the part of C that it holds, or a rectangle of C as large as its speed says (speeds_of(), which
/// the first call may measure), whichever is estimated to be faster. A and B come in panels of the inner dimension. The
/// session keeps what the first call with given distributions has prepared, of the last 16 products of each type, and
/// the memory of its copies: (h + w) d elements for h rows and w columns of C on this rank and a panel of depth d,
/// twice that where they are packed; and h w + distribution_c.elements(rank) if what is computed is not what is held.
///
/// Throws AgreedError if the memory does not suffice, and as speeds_of(); Error, on all ranks alike, for ranks that
/// pass different distributions or numbers, matrices of other sizes than a product has, distributions on another number
/// of ranks, or A or B where an element is in no part. Collective over the session: all ranks pass the same
/// distributions and numbers, and collectives on all ranks.
///
///     multiply(session, *collectives, 1.0, {rows_of_a, a.data()}, {columns_of_b, b.data()}, 0.0, rows_of_c, c.data());
template <Element T>
void multiply(Session& session, Collectives& collectives, std::type_identity_t<T> alpha,
              const std::type_identity_t<Factor<T>>& a, const std::type_identity_t<Factor<T>>& b,
              std::type_identity_t<T> beta, const Distribution& distribution_c, T* c);

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
  ~MatrixFileReader();
  MatrixFileReader(const MatrixFileReader&) = delete;
  MatrixFileReader& operator=(const MatrixFileReader&) = delete;

  /// Reads `part` into to[0, part.elements()). column_major is the same on all ranks. Errors: elements of another type
  /// than T, a part outside the matrix, a failed read, a file truncated meanwhile.
  template <Element T>
  void read(const Part& part, bool column_major, T* to);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A matrix file to write. The file appears under its name after commit() and not before; destruction without commit()
/// leaves nothing behind.
class MatrixFileWriter {
 public:
  /// Rank 0 writes the header and reserves the space. Errors: no permission; disk full; a rank whose host does not
  /// share the file system.
  MatrixFileWriter(MPI_Comm communicator, const std::filesystem::path& target, ElementType type,
                   const MatrixShape& shape, bool fortran_order, FileForm form = FileForm::npy);
  /// A .npy file that stays as TARGET.partial if it is not committed, however the run ends. `goes_on` keeps what an
  /// earlier writer of the same shape, type and order has left there. Errors: the same; another run writes the file.
  MatrixFileWriter(MPI_Comm communicator, const std::filesystem::path& target, ElementType type,
                   const MatrixShape& shape, bool fortran_order, bool goes_on);
  ~MatrixFileWriter();
  MatrixFileWriter(const MatrixFileWriter&) = delete;
  MatrixFileWriter& operator=(const MatrixFileWriter&) = delete;

  /// Writes `part` from from[0, part.elements()). column_major is the same on all ranks. Errors: elements of another
  /// type, a part outside the matrix, a failed write.
  template <Element T>
  void write(const Part& part, bool column_major, const T* from);

  /// Flushes to disk what has been written so far.
  void sync();

  /// Flushes the file to disk and gives it its name. Call after all parts have been written.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Returns the shape of the matrix in a .npy file, for the declaration of a program that reads it. Throws AgreedError:
/// see read_npy_header; an array of other than two dimensions. Collective, with the same path.
MatrixShape shape_in_file(MPI_Comm communicator, const std::filesystem::path& path);

// Parallel input and output of distributed matrices by MPI-IO: every rank transfers its own parts, and all hosts must
// see the file. A replicated matrix is read by every rank and written by rank 0. Memory has the order of the
// distribution, independent of the order in the file. All functions are collective and take the same arguments on all
// ranks, except the array. A failure on one rank throws the same AgreedError on all ranks.

/// Reads a .npy file, in C or Fortran order, into to[0, matrix.elements(rank)). An array of one dimension is read as a
/// matrix of one column or one row. Errors: as read_npy_header; other shape or type; a matrix on another number of
/// ranks; different files on different hosts.
template <Element T>
void read_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to);

/// Reads a raw file, whose elements begin at byte `offset`; bytes after the elements are ignored. Errors: as
/// read_distributed; a file too short for the shape; a negative offset.
template <Element T>
void read_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to,
              bool fortran_order = false, Bytes offset = 0);

/// Writes from[0, matrix.elements(rank)) of all ranks to a .npy file. The file appears under its name only after all
/// ranks have succeeded. Errors: no permission; disk full.
template <Element T>
void write_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix,
                       const T* from, bool fortran_order = false);

/// Writes a raw file, without a header.
template <Element T>
void write_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, const T* from,
               bool fortran_order = false);

}  // namespace tombolo
