#pragma once

#include <cstddef>
#include <cstdint>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A rectangle of elements in memory: `lines` of `width` each, which begin `stride` apart, the first one at `offset`.
struct Strided {
  std::int64_t offset = 0;
  std::int64_t lines = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;

  std::int64_t elements() const { return lines * width; }
  bool in_one_piece() const { return lines <= 1 || width == stride; }
  bool operator==(const Strided&) const = default;
};

/// Whether memory is written past the caches, as what is larger than they are should be: then end_streaming() of
/// streaming.hpp is to follow the last copy.
enum class Writing { cached, streamed };
Writing writing_of(Bytes all);

/// One rectangle onto another one of as many elements, line by line: of the same lines, or both in one piece. Offsets
/// count from `in` and `out`, which do not overlap; `element` is an element's size.
void copy_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to,
                  Writing how);

/// The same where lines of `to` are what stands across the lines of `from`. Speed: of elements of 4, 8 and 16 bytes
/// transpose()'s; of others that of plain loops over tiles.
void turn_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to);

}  // namespace tombolo
