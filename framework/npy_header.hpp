#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What a .npy file says of its array.
struct NpyHeader {
  ElementType type = ElementType::float64;
  bool fortran_order = false;       ///< the first index runs fastest in the file, not the last
  std::vector<std::int64_t> shape;  ///< empty for an array of 0 dimensions, which has one element
  Bytes data_offset = 0;            ///< where the first element starts in the file

  /// The product of the shape, and the same in bytes; they fit for every header that read_npy_header returns.
  std::int64_t elements() const;
  Bytes bytes() const;
};

/// How many rows and columns a matrix has.
struct MatrixShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool operator==(const MatrixShape&) const = default;
};

/// Reads and checks the header of a .npy file of version 1.0, 2.0 or 3.0, and that the file holds the data it promises.
/// Every Error is one line with the path: no such file, unreadable, a directory, not a .npy file, an unknown version, a
/// damaged header, a header or data cut short, an element type that is not Tombolo's, big-endian data.
NpyHeader read_npy_header(const std::filesystem::path& path);

/// The shape of a matrix. An Error if the array has not two dimensions; the path is for the message.
MatrixShape matrix_shape(const NpyHeader& header, const std::filesystem::path& path);

/// The bytes that stand before the elements of a matrix in a .npy file of version 1.0, as NumPy writes them; their
/// number, a multiple of 64, is the data offset. The shape's numbers are at least 0.
std::string npy_header_bytes(ElementType type, const MatrixShape& shape, bool fortran_order = false);

}  // namespace tombolo
