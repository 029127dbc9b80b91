#include <deque>

#include <catch2/catch.hpp>

#include <tombolo/lab/relay/frame_queue.hpp>

#include "lab/frames.hpp"

namespace {

using namespace tombolo;
using test_frames::Bytes;

Bytes some_bytes(std::size_t count, std::size_t seed) {
  Bytes made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<std::uint8_t>(seed * 31 + i * 7);
  return made;
}

TEST_CASE("frames leave a queue in the order in which they came, whatever their sizes") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    FrameQueue queue(1UL << 24);
    std::deque<Bytes> expected;
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    for (int step = 0; step < 3000; ++step) {
      const bool fills = random() % 8 < (step % 1000 < 500 ? 5 : 3);
      if (fills) {
        const std::size_t size = random() % 20 == 0 ? random() % 65550 : random() % 1515;
        expected.push_back(some_bytes(size, in));
        REQUIRE(queue.push(Nanoseconds{in} * 3, in, expected.back()));
        ++in;
      } else if (!expected.empty()) {
        const FrameQueue::Frame first = queue.front();
        REQUIRE(first.due == Nanoseconds{out} * 3);
        REQUIRE(first.tag == out);
        REQUIRE(std::ranges::equal(first.bytes, expected.front()));
        queue.pop();
        expected.pop_front();
        ++out;
      }
      REQUIRE(queue.frames() == expected.size());
      REQUIRE(queue.empty() == expected.empty());
    }
  }
}

TEST_CASE("a queue takes no more than it may") {
  FrameQueue queue(1UL << 17);
  const Bytes frame(1000);
  int taken = 0;
  while (queue.push(0, 0, frame)) ++taken;
  CHECK(taken > 120);
  CHECK(taken <= 131);
  CHECK(!queue.push(0, 0, frame));
  queue.pop();
  CHECK(queue.push(1, 0, frame));
  for (int i = 0; i < taken; ++i) queue.pop();
  CHECK(queue.empty());
  CHECK(queue.push(2, 0, Bytes(120'000)));
  CHECK(!queue.push(2, 0, Bytes(12'000)));
  CHECK(queue.front().bytes.size() == 120'000);
}

TEST_CASE("a frame may be empty, or too large for any queue") {
  FrameQueue queue(1UL << 16);
  CHECK(queue.push(1, 2, {}));
  CHECK(queue.front().bytes.empty());
  CHECK(!queue.push(1, 2, Bytes(1UL << 16)));
  CHECK(queue.frames() == 1);
}

}  // namespace
