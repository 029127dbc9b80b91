#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

/// What the twins need of .npy files, as a program would have it that does without a library for them: matrices of
/// float64 in C order.
struct NpyMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t offset = 0;  ///< where the first element stands in the file, in bytes
};

/// Reads the header. Throws std::runtime_error of one line for a file of any other kind.
inline NpyMatrix read_npy(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<unsigned char, 10> start{};
  file.read(reinterpret_cast<char*>(start.data()), start.size());
  std::string text(static_cast<std::size_t>(start[8] + 256 * start[9]), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  NpyMatrix matrix{.offset = 10 + static_cast<std::int64_t>(text.size())};
  const char* form = "{'descr': '<f8', 'fortran_order': False, 'shape': (%ld, %ld)";
  if (!file || std::sscanf(text.c_str(), form, &matrix.rows, &matrix.columns) != 2) {
    throw std::runtime_error(path + " is no matrix of float64 in C order; make it by numpy.save");
  }
  return matrix;
}

/// The bytes before the elements of a matrix.
inline std::string npy_header(std::int64_t rows, std::int64_t columns) {
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                     std::to_string(columns) + "), }";
  text.resize(118 - 1, ' ');
  return std::string("\x93NUMPY\1\0v\0", 10) + text + '\n';
}
