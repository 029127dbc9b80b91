#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/framework/arrays/files/npy_shared_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

Bytes data_bytes(ElementType type, const MatrixShape& shape) {
  return NpyHeader{type, false, {shape.rows, shape.columns}, 0}.bytes();
}

std::string header_of(FileForm form, ElementType type, const MatrixShape& shape, bool fortran_order) {
  return form == FileForm::raw ? "" : npy_header_bytes(type, shape, fortran_order);
}

bool within(std::int64_t first, std::int64_t count, std::int64_t all) {
  return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

}  // namespace

NpySharedFile::NpySharedFile(const std::filesystem::path& target, ElementType type, const MatrixShape& shape,
                             bool fortran_order, FileForm form, AtomicFile::Writers writers)
    : file_(target, writers) {
  reserve(header_of(form, type, shape, fortran_order), type, shape);
}

NpySharedFile::NpySharedFile(const std::filesystem::path& target, ElementType type, const MatrixShape& shape,
                             bool fortran_order, AtomicFile::Begin begin)
    : file_(target, begin) {
  try {
    reserve(header_of(FileForm::npy, type, shape, fortran_order), type, shape);
  } catch (...) {
    std::error_code ignored;
    if (begin == AtomicFile::Begin::anew)
      std::filesystem::remove(file_.temporary(), ignored);  // there is nothing in it
    throw;
  }
}

void NpySharedFile::reserve(const std::string& header, ElementType type, const MatrixShape& shape) {
  const Bytes all = std::ssize(header) + data_bytes(type, shape);
  file_.append(header.data(), std::ssize(header));
  if (all > 0) file_.reserve(all);
}

NpySharedPlace NpySharedPlace::of(const std::filesystem::path& target, const std::filesystem::path& temporary,
                                  ElementType type, const MatrixShape& shape, bool fortran_order, FileForm form) {
  const Bytes data_offset = std::ssize(header_of(form, type, shape, fortran_order));
  return {target, temporary, data_offset, data_offset + data_bytes(type, shape)};
}

void NpySharedPlace::check_seen() const {
  std::error_code error;
  const bool seen = std::filesystem::exists(temporary, error) || error;
  // A file of another size is for example left by a killed run on this host.
  if (seen && PosixFile::open_to_write(temporary, target).size() == bytes) return;
  throw Error(fmt::format("cannot write {}: another process writes it as {}, which this process does not see",
                          printable(target), printable(temporary)),
              "give an absolute path on a file system that all hosts share");
}

Strided lines_of(const Part& part, const MatrixShape& shape, bool fortran_order) {
  if (!within(part.first_row, part.rows, shape.rows) || !within(part.first_column, part.columns, shape.columns)) {
    throw std::out_of_range(fmt::format("a part of {} x {} from row {}, column {} of a matrix of {} x {}", part.rows,
                                        part.columns, part.first_row, part.first_column, shape.rows, shape.columns));
  }
  if (fortran_order) {
    return {part.first_column * shape.rows + part.first_row, part.columns, part.rows, shape.rows};
  }
  return {part.first_row * shape.columns + part.first_column, part.rows, part.columns, shape.columns};
}

Strided joined(const Strided& lines) {
  if (lines.lines != 1 && lines.width != lines.stride) return lines;
  return {lines.offset, 1, lines.elements(), lines.elements()};
}

}  // namespace tombolo
