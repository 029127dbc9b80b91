#include <complex>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/framework/npy_rows_writer.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {
namespace {

Bytes data_bytes(ElementType type, const MatrixShape& shape) {
  return NpyHeader{type, false, {shape.rows, shape.columns}, 0}.bytes();
}

[[noreturn]] void throw_not_seen(const std::filesystem::path& target, const std::filesystem::path& temporary) {
  throw Error(fmt::format("cannot write {}: another process writes it as {}, which this process does not see",
                          printable(target), printable(temporary)),
              "give an absolute path on a file system that all hosts share");
}

void write_rows(const std::filesystem::path& target, const std::filesystem::path& temporary, ElementType type,
                const MatrixShape& shape, std::int64_t first_row, std::int64_t rows, const void* row_major) {
  if (first_row < 0 || rows < 0 || first_row > shape.rows || rows > shape.rows - first_row) {
    throw std::out_of_range(
        fmt::format("{} rows from row {} for {}, which has {}", rows, first_row, printable(target), shape.rows));
  }
  std::error_code error;
  if (!std::filesystem::exists(temporary, error) && !error) throw_not_seen(target, temporary);
  PosixFile file = PosixFile::open_to_write(temporary, target);
  const Bytes data_offset = std::ssize(npy_header_bytes(type, shape));
  // A file that a killed run has left behind on this host, for example.
  if (file.size() != data_offset + data_bytes(type, shape)) throw_not_seen(target, temporary);
  const Bytes row_bytes = shape.columns * element_info(type).bytes;
  file.write_at(row_major, rows * row_bytes, data_offset + first_row * row_bytes);
  file.sync_and_close();
}

}  // namespace

NpyRowsFile::NpyRowsFile(const std::filesystem::path& target, ElementType type, const MatrixShape& shape)
    : file_(target) {
  const std::string header = npy_header_bytes(type, shape);
  file_.append(header.data(), std::ssize(header));
  file_.reserve(std::ssize(header) + data_bytes(type, shape));
}

template <Element T>
void write_npy_rows(const std::filesystem::path& target, const std::filesystem::path& temporary,
                    const MatrixShape& shape, std::int64_t first_row, std::int64_t rows, const T* row_major) {
  write_rows(target, temporary, element_type_of<T>, shape, first_row, rows, row_major);
}

template void write_npy_rows(const std::filesystem::path&, const std::filesystem::path&, const MatrixShape&,
                             std::int64_t, std::int64_t, const float*);
template void write_npy_rows(const std::filesystem::path&, const std::filesystem::path&, const MatrixShape&,
                             std::int64_t, std::int64_t, const double*);
template void write_npy_rows(const std::filesystem::path&, const std::filesystem::path&, const MatrixShape&,
                             std::int64_t, std::int64_t, const std::complex<float>*);
template void write_npy_rows(const std::filesystem::path&, const std::filesystem::path&, const MatrixShape&,
                             std::int64_t, std::int64_t, const std::complex<double>*);

}  // namespace tombolo
