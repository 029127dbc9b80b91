#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <tombolo/units.hpp>

namespace tombolo {

// Non-temporal stores of whole cache lines, past the caches: a normal store first fetches the line that it overwrites,
// which takes two to three times as long.

inline constexpr std::int64_t line_bytes = 64;     // of a cache line
inline constexpr Bytes streamed_from = 4'000'000;  // smaller outputs stay in the cache, for the next reader

/// Returns the number of bytes from `at` to the next start of a cache line, 0 to 63.
inline std::int64_t to_next_line(const std::byte* at) {
  return static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(at) % line_bytes);
}

#if defined(__SSE2__)
inline void stream_line(std::byte* to, const std::byte* from) {
  constexpr std::int64_t vector_bytes = 16;
  for (std::int64_t at = 0; at < line_bytes; at += vector_bytes) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
  }
}

inline void end_streaming() {
  _mm_sfence();  // orders the stores before a later message that announces the output to other processes
}
#else
inline void stream_line(std::byte* to, const std::byte* from) {
  std::memcpy(to, from, line_bytes);
}

inline void end_streaming() {}
#endif

/// A memcpy past the caches; call end_streaming() after the last one. The partial lines at both ends are written
/// normally.
inline void stream_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const std::int64_t head = std::min(to_next_line(to), bytes);
  const std::int64_t end = head + (bytes - head) / line_bytes * line_bytes;
  std::memcpy(to, from, static_cast<std::size_t>(head));
  for (std::int64_t at = head; at < end; at += line_bytes) stream_line(to + at, from + at);
  std::memcpy(to + end, from + end, static_cast<std::size_t>(bytes - end));
}

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

/// Writes through the caches, or past the caches for data larger than these: then call end_streaming() after the
/// last copy.
enum class Writing { cached, streamed };
Writing writing_of(Bytes all);

/// Copies a rectangle to another with as many elements, line by line: both have the same lines, or both are contiguous.
/// Offsets count from `in` and `out`, which must not overlap; `element` is the size of an element in bytes.
void copy_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to,
                  Writing how);

/// Transposes a rectangle: lines of `to` are columns of `from`. Speed: for elements of 4, 8 and 16 bytes as
/// transpose(); for others as plain loops over tiles.
void turn_strided(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to);

}  // namespace tombolo
