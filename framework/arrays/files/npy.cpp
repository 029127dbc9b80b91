#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <tombolo/framework/arrays/files/npy.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

// A Fortran-ordered file is read in tiles: high enough for long reads, wide enough to write whole cache lines.
constexpr Bytes tile_bytes = Bytes{8} << 20;
constexpr std::int64_t highest_tile = 16384;

template <Element T>
void read_fortran_rows(const PosixFile& file, Bytes data_offset, const MatrixShape& shape, std::int64_t first_row,
                       std::int64_t rows, T* row_major) {
  constexpr Bytes element = sizeof(T);
  const std::int64_t high = std::min(rows, highest_tile);
  const std::int64_t wide = std::min(shape.columns, tile_bytes / element / high);
  const auto tile = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(high * wide));
  for (std::int64_t column = 0; column < shape.columns; column += wide) {
    const std::int64_t columns = std::min(wide, shape.columns - column);
    for (std::int64_t row = 0; row < rows; row += high) {
      const std::int64_t tile_rows = std::min(high, rows - row);
      // Only whole columns are contiguous in the file.
      const std::int64_t pieces = tile_rows == shape.rows ? 1 : columns;
      const std::int64_t piece = tile_rows * columns / pieces;
      for (std::int64_t p = 0; p < pieces; ++p) {
        const std::int64_t start = (column + p) * shape.rows + first_row + row;
        file.read_at(tile.get() + p * piece, piece * element, data_offset + start * element);
      }
      transpose(columns, tile_rows, tile.get(), tile_rows, row_major + row * shape.columns + column, shape.columns);
    }
  }
}

}  // namespace

template <Element T>
void read_npy_rows(const std::filesystem::path& path, const NpyHeader& header, std::int64_t first_row,
                   std::int64_t rows, T* row_major) {
  const MatrixShape shape = matrix_shape(header, path);
  if (header.type != element_type_of<T>) {
    const ElementInfo& wanted = element_info(element_type_of<T>);
    throw Error(
        fmt::format("{} holds {} where {} is needed", printable(path), element_info(header.type).name, wanted.name),
        fmt::format("save it again as a.astype('{}')", wanted.descr));
  }
  if (first_row < 0 || rows < 0 || first_row > shape.rows || rows > shape.rows - first_row) {
    throw std::out_of_range(
        fmt::format("{} rows from row {} of {}, which has {}", rows, first_row, printable(path), shape.rows));
  }
  const PosixFile file = PosixFile::open_to_read(path);
  if (rows == 0 || shape.columns == 0) return;
  if (header.fortran_order) {
    read_fortran_rows(file, header.data_offset, shape, first_row, rows, row_major);
  } else {
    constexpr Bytes element = sizeof(T);
    const Bytes row_bytes = shape.columns * element;
    file.read_at(row_major, rows * row_bytes, header.data_offset + first_row * row_bytes);
  }
}

template void read_npy_rows(const std::filesystem::path&, const NpyHeader&, std::int64_t, std::int64_t, float*);
template void read_npy_rows(const std::filesystem::path&, const NpyHeader&, std::int64_t, std::int64_t, double*);
template void read_npy_rows(const std::filesystem::path&, const NpyHeader&, std::int64_t, std::int64_t,
                            std::complex<float>*);
template void read_npy_rows(const std::filesystem::path&, const NpyHeader&, std::int64_t, std::int64_t,
                            std::complex<double>*);

NpyWriter::NpyWriter(const std::filesystem::path& target, ElementType type, const MatrixShape& shape)
    : type_(type), shape_(shape), file_(target) {
  const std::string header = npy_header_bytes(type, shape);
  file_.append(header.data(), std::ssize(header));
}

void NpyWriter::append(ElementType type, const void* row_major, std::int64_t rows) {
  if (type != type_) {
    throw std::logic_error(
        fmt::format("rows of {} for a matrix of {}", element_info(type).name, element_info(type_).name));
  }
  if (rows < 0 || rows > shape_.rows - rows_written_) {
    throw std::logic_error(fmt::format("{} rows more after {} of {}", rows, rows_written_, shape_.rows));
  }
  file_.append(row_major, rows * shape_.columns * element_info(type).bytes);
  rows_written_ += rows;
}

void NpyWriter::commit() {
  if (rows_written_ != shape_.rows) {
    throw std::logic_error(fmt::format("commit after {} rows of {}", rows_written_, shape_.rows));
  }
  file_.commit();
}

}  // namespace tombolo
