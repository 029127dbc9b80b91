#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/lab/relay/pace.hpp>

namespace tombolo {

/// Frames under way, first in, first out, in one ring of bytes. It grows to what was ever under way at once and then
/// takes no memory any more, and a small frame takes little of it.
class FrameQueue {
 public:
  struct Frame {
    Nanoseconds due;                ///< when it arrives
    std::uint32_t tag;              ///< the caller's
    std::span<std::uint8_t> bytes;  ///< until the next push or pop
  };

  /// `most_bytes`: the ring never takes more. A power of two.
  explicit FrameQueue(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  bool empty() const { return frames_ == 0; }
  std::size_t frames() const { return frames_; }

  /// Copies the frame behind all others; false where there is no room left.
  bool push(Nanoseconds due, std::uint32_t tag, std::span<const std::uint8_t> bytes);

  /// The first; there must be one.
  Frame front();

  /// Forgets the first; there must be one.
  void pop();

 private:
  struct Header {
    Nanoseconds due;
    std::uint32_t tag;
    std::uint32_t bytes;
  };
  bool fits(std::size_t needed) const;
  void grow(std::size_t size);
  Header header_at(std::size_t place) const;
  void put(std::size_t place, const Header& header);
  void skip_end();

  std::size_t most_bytes_;
  std::vector<std::uint8_t> ring_;
  std::size_t first_ = 0;  ///< where the first frame's header is
  std::size_t next_ = 0;   ///< where the next one's will be
  std::size_t used_ = 0;   ///< bytes from first_ to next_, around the end
  std::size_t frames_ = 0;
};

}  // namespace tombolo
