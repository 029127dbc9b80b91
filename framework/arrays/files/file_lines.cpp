#include <stdexcept>

#include <fmt/format.h>

#include <tombolo/framework/arrays/files/file_lines.hpp>

namespace tombolo {

namespace {

bool within(std::int64_t first, std::int64_t count, std::int64_t all) {
  return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

}  // namespace

FileLines lines_of(const Part& part, const MatrixShape& shape, bool fortran_order) {
  if (!within(part.first_row, part.rows, shape.rows) || !within(part.first_column, part.columns, shape.columns)) {
    throw std::out_of_range(fmt::format("a part of {} x {} from row {}, column {} of a matrix of {} x {}", part.rows,
                                        part.columns, part.first_row, part.first_column, shape.rows, shape.columns));
  }
  if (fortran_order) {
    return {part.first_column * shape.rows + part.first_row, part.columns, part.rows, shape.rows};
  }
  return {part.first_row * shape.columns + part.first_column, part.rows, part.columns, shape.columns};
}

FileLines joined(const FileLines& lines) {
  if (lines.lines != 1 && lines.width != lines.stride) return lines;
  const std::int64_t all = lines.lines * lines.width;
  return {lines.first, 1, all, all};
}

}  // namespace tombolo
