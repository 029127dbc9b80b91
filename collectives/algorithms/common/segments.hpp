#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Cuts a vector into consecutive buffer ranges of at most `segment_bytes`, on element boundaries, all but the last of
/// equal size; `segment_bytes` 0 gives one buffer range. An element larger than a segment is a segment of its own.
inline std::vector<BufferRange> segments(BufferRange whole, Bytes element_bytes, Bytes segment_bytes) {
  std::int64_t each = whole.count;
  if (segment_bytes > 0 && element_bytes > 0) each = std::max<std::int64_t>(1, segment_bytes / element_bytes);
  std::vector<BufferRange> pieces;
  for (std::int64_t at = 0; at < whole.count; at += each) {
    pieces.push_back({whole.buffer, whole.offset + at, std::min(each, whole.count - at)});
  }
  return pieces;
}

/// As segments(), but of the least size for which there are as many at most.
inline std::vector<BufferRange> equal_segments(BufferRange whole, Bytes element_bytes, Bytes segment_bytes) {
  if (whole.count == 0 || segment_bytes <= 0 || element_bytes <= 0) return segments(whole, element_bytes, 0);
  const std::int64_t each = std::max<std::int64_t>(1, segment_bytes / element_bytes);
  const std::int64_t number = (whole.count + each - 1) / each;
  return segments(whole, 1, (whole.count + number - 1) / number);
}

/// Cuts a message of several buffer ranges into segments, in the order of its elements.
inline std::vector<std::vector<BufferRange>> segments(const std::vector<BufferRange>& whole, Bytes element_bytes,
                                                      Bytes segment_bytes) {
  const std::int64_t each = segment_bytes > 0 && element_bytes > 0
                                ? std::max<std::int64_t>(1, segment_bytes / element_bytes)
                                : std::numeric_limits<std::int64_t>::max();
  std::vector<std::vector<BufferRange>> parts;
  std::int64_t room = 0;
  for (BufferRange piece : whole) {
    while (piece.count > 0) {
      if (room == 0) {
        parts.emplace_back();
        room = each;
      }
      const std::int64_t now = std::min(piece.count, room);
      parts.back().push_back({piece.buffer, piece.offset, now});
      piece = {piece.buffer, piece.offset + now, piece.count - now};
      room -= now;
    }
  }
  return parts;
}

}  // namespace tombolo
