#pragma once

#include <cstddef>
#include <cstdint>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A rectangle of elements in memory: `lines` lines of `width` elements, `stride` from start to start, the first at
/// `offset`.
struct Strided {
  std::int64_t offset = 0;
  std::int64_t lines = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;

  std::int64_t elements() const { return lines * width; }
  bool in_one_piece() const { return lines <= 1 || width == stride; }
  bool operator==(const Strided&) const = default;
};

/// Writes through the caches, or past the caches for data larger than these: then call end_streaming() of streaming.hpp
/// after the last copy.
enum class Writing { cached, streamed };
Writing writing_of(Bytes all);

/// Copies a rectangle to another with as many elements, line by line: both have the same lines, or both are contiguous.
/// Offsets count from `in` and `out`, which must not overlap; `element` is the size of an element in bytes.
void copy_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to,
                  Writing how);

/// Transposes a rectangle: lines of `to` are columns of `from`. Speed: for elements of 4, 8 and 16 bytes as
/// transpose(); for others as plain loops over tiles.
void turn_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to);

/// Copies `columns` columns of rows that are `stride` elements apart into a contiguous row-major buffer and returns its
/// end, so that blocks of the same rows for several ranks can be packed in sequence.
template <Element T>
T* pack_columns(std::int64_t rows, const T* from, std::int64_t stride, std::int64_t columns, T* to);

}  // namespace tombolo
