#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/part.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The header of a .npy file.
struct NpyHeader {
  ElementType type = ElementType::float64;
  bool fortran_order = false;       ///< the first index runs fastest in the file, not the last
  std::vector<std::int64_t> shape;  ///< empty for an array of 0 dimensions, which has one element
  Bytes data_offset = 0;            ///< offset of the first element in the file

  /// The product of the shape, in elements and in bytes; no overflow for headers from read_npy_header.
  std::int64_t elements() const;
  Bytes bytes() const;
};

/// Reads and checks the header of a .npy file of version 1.0, 2.0 or 3.0, and checks that the file holds all its data.
/// Every Error is one line with the path: no such file, unreadable, a directory, not a .npy file, an unknown version, a
/// damaged header, a truncated header or data, an element type that Tombolo does not have, big-endian data.
NpyHeader read_npy_header(const std::filesystem::path& path);

/// Returns the shape of a matrix. Throws Error unless the array has two dimensions; the message shows the path.
MatrixShape matrix_shape(const NpyHeader& header, const std::filesystem::path& path);

/// Returns the header of a matrix in a .npy file of version 1.0, as NumPy writes it; its length, a multiple of 64, is
/// the data offset. Dimensions are at least 0.
std::string npy_header_bytes(ElementType type, const MatrixShape& shape, bool fortran_order = false);

}  // namespace tombolo
