#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// A vector cut into consecutive pieces of at most `segment_bytes`, on element boundaries, all but the last of the same
/// size; one piece for 0. An element larger than a segment is a segment of its own.
inline std::vector<Piece> segments(Piece whole, Bytes element_bytes, Bytes segment_bytes) {
  std::int64_t each = whole.count;
  if (segment_bytes > 0 && element_bytes > 0) each = std::max<std::int64_t>(1, segment_bytes / element_bytes);
  std::vector<Piece> pieces;
  for (std::int64_t at = 0; at < whole.count; at += each) {
    pieces.push_back({whole.buffer, whole.offset + at, std::min(each, whole.count - at)});
  }
  return pieces;
}

/// The same of what is sent as one: the elements of several pieces, in their order.
inline std::vector<std::vector<Piece>> segments(const std::vector<Piece>& whole, Bytes element_bytes,
                                                Bytes segment_bytes) {
  const std::int64_t each = segment_bytes > 0 && element_bytes > 0
                                ? std::max<std::int64_t>(1, segment_bytes / element_bytes)
                                : std::numeric_limits<std::int64_t>::max();
  std::vector<std::vector<Piece>> parts;
  std::int64_t room = 0;
  for (Piece piece : whole) {
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
