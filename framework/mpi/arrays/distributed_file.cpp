#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

Rank rank_in(MPI_Comm communicator) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  return rank;
}

void check_ranks(MPI_Comm communicator, const Distribution& matrix, const std::filesystem::path& path) {
  int ranks = 0;
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  if (ranks == matrix.ranks()) return;
  throw Error(fmt::format("{}: a matrix on {} ranks, read or written by {}", printable(path), matrix.ranks(), ranks),
              "give a distribution on the ranks of the communicator");
}

/// Returns a rank's non-empty parts in the order of its memory; adjacent parts are joined.
std::vector<Part> joined_parts(const Distribution& matrix, Rank rank) {
  std::vector<Part> parts;
  for (const int number : matrix.blocks_of(rank)) {
    const Part part = matrix.block(number);
    if (part.elements() == 0) continue;
    Part* const last = parts.empty() ? nullptr : &parts.back();
    if (last != nullptr && !matrix.by_columns() && last->first_column == part.first_column &&
        last->columns == part.columns && last->first_row + last->rows == part.first_row) {
      last->rows += part.rows;
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

/// Calls transfer(part, offset in memory) equally often on every rank, at least once, so that errors of a file are
/// always found. Ranks with fewer parts transfer empty parts at the end.
template <class Transfer>
void for_parts(const Distribution& matrix, Rank rank, bool nothing, const Transfer& transfer) {
  std::size_t most = 1;
  for (Rank other = 0; !matrix.replicated() && other < matrix.ranks(); ++other) {
    most = std::max(most, joined_parts(matrix, other).size());
  }
  const std::vector<Part> mine = nothing ? std::vector<Part>() : joined_parts(matrix, rank);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < most; ++i) {
    const Part part = i < mine.size() ? mine[i] : Part{};
    transfer(part, at);
    at += part.elements();
  }
}

template <Element T>
void read_parts(MPI_Comm communicator, const std::filesystem::path& path, const NpyHeader& header,
                const Distribution& matrix, T* to) {
  MatrixFileReader file(communicator, path, header);
  for_parts(matrix, rank_in(communicator), false,
            [&](const Part& part, std::int64_t at) { file.read(part, matrix.by_columns(), to + at); });
}

template <Element T>
void write_parts(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, const T* from,
                 bool fortran_order, FileForm form) {
  agree(communicator, [&] {
    check_ranks(communicator, matrix, path);
    if (matrix.exact() || matrix.replicated()) return;
    throw Error(
        fmt::format("{}: a matrix to be written from parts that overlap or leave elements out", printable(path)),
        "move it to a distribution that has every element once, and write that");
  });
  const Rank rank = rank_in(communicator);
  MatrixFileWriter file(communicator, path, element_type_of<T>, matrix.shape(), fortran_order, form);
  for_parts(matrix, rank, matrix.replicated() && rank > 0,
            [&](const Part& part, std::int64_t at) { file.write(part, matrix.by_columns(), from + at); });
  file.commit();
}

/// Turns the header into a matrix header; throws Error if the matrix has not the needed shape.
void check_shape(NpyHeader& header, const MatrixShape& needed, const std::filesystem::path& path) {
  if (header.shape.size() == 1 && needed.columns == 1) header.shape.push_back(1);
  if (header.shape.size() == 1 && needed.rows == 1) header.shape.insert(header.shape.begin(), 1);
  const auto [rows, columns] = matrix_shape(header, path);
  if (rows == needed.rows && columns == needed.columns) return;
  throw Error(fmt::format("{} holds a matrix of {} x {} where one of {} x {} is needed", printable(path), rows, columns,
                          needed.rows, needed.columns),
              "give a file of a matrix of that shape");
}

/// Throws AgreedError if ranks read different headers, which would lead to a deadlock.
void check_alike(MPI_Comm communicator, const NpyHeader& header, const std::filesystem::path& path) {
  const Bytes offset = header.data_offset;
  const Bytes fortran = header.fortran_order ? 1 : 0;
  std::array<Bytes, 4> most{offset, -offset, fortran, -fortran};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, most.data(), most.size(), MPI_INT64_T, MPI_MAX, communicator), "MPI_Allreduce");
  agree(communicator, [&] {
    if (most[0] + most[1] == 0 && most[2] + most[3] == 0) return;
    throw Error(fmt::format("{} is not the same file for all processes", printable(path)),
                "give an absolute path on a file system that all hosts share");
  });
}

void check_length(const std::filesystem::path& path, const MatrixShape& shape, const ElementInfo& info, Bytes offset) {
  if (offset < 0) {
    throw Error(fmt::format("{} from byte {} on", printable(path), offset), "give an offset of 0 or more");
  }
  const Bytes size = PosixFile::open_to_read(path).size();
  const std::int64_t elements = shape.rows * shape.columns;
  if (offset <= size && elements <= (size - offset) / info.bytes) return;
  throw Error(fmt::format("{} has {} bytes, too few for {} x {} elements of {} from byte {} on", printable(path), size,
                          shape.rows, shape.columns, info.name, offset),
              "give the shape, type and offset that the file was written with");
}

}  // namespace

template <Element T>
void read_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to) {
  NpyHeader header;
  agree(communicator, [&] {
    check_ranks(communicator, matrix, path);
    header = read_npy_header(path);
    check_shape(header, matrix.shape(), path);
  });
  check_alike(communicator, header, path);
  read_parts(communicator, path, header, matrix, to);
}

template <Element T>
void read_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, T* to,
              bool fortran_order, Bytes offset) {
  const auto [rows, columns] = matrix.shape();
  agree(communicator, [&] {
    check_ranks(communicator, matrix, path);
    check_length(path, matrix.shape(), element_info(element_type_of<T>), offset);
  });
  read_parts(communicator, path, {element_type_of<T>, fortran_order, {rows, columns}, offset}, matrix, to);
}

template <Element T>
void write_distributed(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix,
                       const T* from, bool fortran_order) {
  write_parts(communicator, path, matrix, from, fortran_order, FileForm::npy);
}

template <Element T>
void write_raw(MPI_Comm communicator, const std::filesystem::path& path, const Distribution& matrix, const T* from,
               bool fortran_order) {
  write_parts(communicator, path, matrix, from, fortran_order, FileForm::raw);
}

#define TOMBOLO_FOR(T)                                                                                          \
  template void read_distributed(MPI_Comm, const std::filesystem::path&, const Distribution&, T*);              \
  template void read_raw(MPI_Comm, const std::filesystem::path&, const Distribution&, T*, bool, Bytes);         \
  template void write_distributed(MPI_Comm, const std::filesystem::path&, const Distribution&, const T*, bool); \
  template void write_raw(MPI_Comm, const std::filesystem::path&, const Distribution&, const T*, bool);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
