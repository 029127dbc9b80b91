#pragma once

// Ranks, sizes, times and rates, and the error that a user can act on.

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace tombolo {

/// All inputs to a planning decision are integers, so that ranks on different hosts decide alike
/// (docs/architecture.md).
using Rank = std::int32_t;
using Bytes = std::int64_t;
using Picoseconds = std::int64_t;  // up to 106 days
using BytesPerSecond = std::int64_t;
using FlopsPerSecond = std::int64_t;

/// A product of two integers of 64 bits fits in.
__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

constexpr Picoseconds picoseconds_per_second = 1'000'000'000'000;

constexpr double seconds(Picoseconds t) {
  return static_cast<double>(t) / static_cast<double>(picoseconds_per_second);
}

/// The largest time; sums saturate at it.
constexpr Picoseconds never = std::numeric_limits<Picoseconds>::max();

constexpr Picoseconds plus(Picoseconds a, Picoseconds b) {
  return a > never - b ? never : a + b;
}

/// Returns amount * 10^12 / per_second, rounded up; exact in 128 bits, `never` if it does not fit.
constexpr Picoseconds transfer_time(std::int64_t amount, std::int64_t per_second) {
  const UnsignedWide scaled = static_cast<UnsignedWide>(amount) * static_cast<UnsignedWide>(picoseconds_per_second);
  const UnsignedWide time =
      (scaled + static_cast<UnsignedWide>(per_second) - 1) / static_cast<UnsignedWide>(per_second);
  return time < static_cast<UnsignedWide>(never) ? static_cast<Picoseconds>(time) : never;
}

/// An error that a user can act on: the cause, with the offending value, and the remedy. Printed as one line, "tombolo:
/// CAUSE; REMEDY".
class Error : public std::runtime_error {
 public:
  /// Example: Error("cannot open a.npy: No such file or directory", "check the path given to --a")
  Error(const std::string& cause, const std::string& remedy) : std::runtime_error(cause + "; " + remedy) {}
};

}  // namespace tombolo
