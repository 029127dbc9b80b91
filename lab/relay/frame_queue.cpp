#include <algorithm>
#include <cstring>
#include <utility>

#include <tombolo/lab/relay/frame_queue.hpp>

namespace tombolo {
namespace {

constexpr std::size_t alignment = 16;               // a header fits wherever one may begin
constexpr std::uint32_t end_of_ring = 0xffffffffU;  // for `bytes`: the next frame is at the beginning
constexpr std::size_t smallest_ring = 64UL * 1024;

}  // namespace

FrameQueue::Header FrameQueue::header_at(std::size_t place) const {
  Header header{};
  std::memcpy(&header, ring_.data() + place, sizeof header);
  return header;
}

void FrameQueue::put(std::size_t place, const Header& header) {
  static_assert(sizeof header == alignment);
  std::memcpy(ring_.data() + place, &header, sizeof header);
}

/// Whether `needed` bytes in one piece are free, at next_ or, if the end is skipped, at the beginning.
bool FrameQueue::fits(std::size_t needed) const {
  const std::size_t to_end = ring_.size() - next_;
  const std::size_t free = ring_.size() - used_;
  return needed <= free && (needed <= to_end || needed <= free - std::min(free, to_end));
}

void FrameQueue::grow(std::size_t size) {
  FrameQueue larger(most_bytes_);
  larger.ring_.resize(size);
  while (!empty()) {
    const Frame frame = front();
    larger.push(frame.due, frame.tag, frame.bytes);
    pop();
  }
  *this = std::move(larger);
}

bool FrameQueue::push(Nanoseconds due, std::uint32_t tag, std::span<const std::uint8_t> bytes) {
  const std::size_t needed = (sizeof(Header) + bytes.size() + alignment - 1) / alignment * alignment;
  if (empty()) first_ = next_ = used_ = 0;
  while (!fits(needed)) {
    const std::size_t size = std::max(smallest_ring, 2 * ring_.size());
    if (size > most_bytes_) return false;
    grow(size);
  }
  if (needed > ring_.size() - next_) {
    put(next_, {0, 0, end_of_ring});
    used_ += ring_.size() - next_;
    next_ = 0;
  }
  put(next_, {due, tag, static_cast<std::uint32_t>(bytes.size())});
  if (!bytes.empty()) std::memcpy(ring_.data() + next_ + sizeof(Header), bytes.data(), bytes.size());
  next_ = (next_ + needed) % ring_.size();
  used_ += needed;
  ++frames_;
  return true;
}

void FrameQueue::skip_end() {
  if (header_at(first_).bytes != end_of_ring) return;
  used_ -= ring_.size() - first_;
  first_ = 0;
}

FrameQueue::Frame FrameQueue::front() {
  skip_end();
  const Header header = header_at(first_);
  return {header.due, header.tag, std::span(ring_).subspan(first_ + sizeof header, header.bytes)};
}

void FrameQueue::pop() {
  skip_end();
  const std::size_t taken = (sizeof(Header) + header_at(first_).bytes + alignment - 1) / alignment * alignment;
  first_ = (first_ + taken) % ring_.size();
  used_ -= taken;
  --frames_;
}

}  // namespace tombolo
