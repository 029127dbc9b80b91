#pragma once

#include <cstddef>
#include <cstdint>

namespace tombolo {

/// Times of the relay: nanoseconds of the monotonic clock, or of a test's own.
using Nanoseconds = std::int64_t;

/// A line that carries so many bits a second, one frame after another: when it is free for the next. Exact in the long
/// run at any rate, as it carries what division leaves over on to the next frame.
class Pace {
 public:
  /// Bits per second; 0: no limit. What is under way keeps its time.
  void set(std::int64_t bits_per_second) { rate_ = bits_per_second; }

  bool limited() const { return rate_ > 0; }

  /// When a frame that is there at `ready` begins to be sent.
  Nanoseconds begin(Nanoseconds ready) const { return limited() && free_ > ready ? free_ : ready; }

  /// When one that begins at `begun` has been sent.
  Nanoseconds end(Nanoseconds begun, std::size_t bytes) const { return begun + sent(begun, bytes) / rate(); }

  /// The same, and the line is taken until then.
  Nanoseconds take(Nanoseconds begun, std::size_t bytes) {
    if (!limited()) return begun;
    const std::int64_t all = sent(begun, bytes);
    free_ = begun + all / rate_;
    left_over_ = all % rate_;
    return free_;
  }

 private:
  std::int64_t rate() const { return limited() ? rate_ : 1; }

  /// Nanoseconds times rate: bits times 10^9, which fits for frames of gigabytes.
  std::int64_t sent(Nanoseconds begun, std::size_t bytes) const {
    if (!limited()) return 0;
    const bool goes_on = begun == free_ && left_over_ < rate_;
    return static_cast<std::int64_t>(bytes) * 8 * 1'000'000'000 + (goes_on ? left_over_ : 0);
  }

  std::int64_t rate_ = 0;
  Nanoseconds free_ = 0;
  std::int64_t left_over_ = 0;  ///< nanoseconds times rate
};

}  // namespace tombolo
