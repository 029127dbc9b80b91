#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <tombolo/framework/npy_writer.hpp>

namespace tombolo {

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
