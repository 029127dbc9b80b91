#pragma once

#include <cstdint>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A factor without a unit, as an integer: 1 000 000 is one, 400 000 the paper's 2/5.
using Millionths = std::int64_t;
constexpr Millionths one_in_millionths = 1'000'000;

/// What one byte takes, as an integer fine enough for any link: 10^18 / rate in B/s; 10^9 is 1 GB/s. Fitted ones may be
/// negative.
using AttosecondsPerByte = std::int64_t;

namespace forms {

/// value * factor / divisor rounded towards `never`, which it is where it does not fit. value and divisor > 0.
constexpr Picoseconds scaled(std::int64_t value, std::int64_t factor, std::int64_t divisor) {
  __extension__ using Wide = __int128;
  const Wide product = static_cast<Wide>(value) * static_cast<Wide>(factor);
  const Wide divided = (product + (product > 0 ? divisor - 1 : 0)) / divisor;
  return divided < static_cast<Wide>(never) ? static_cast<Picoseconds>(divided) : never;
}

/// count * time, or `never`.
constexpr Picoseconds times(std::int64_t count, Picoseconds time) {
  return scaled(time, count, 1);
}

/// What so many bytes take, rounded up to a picosecond.
constexpr Picoseconds bytes_time(Bytes bytes, AttosecondsPerByte each) {
  return scaled(bytes, each, 1'000'000);
}

/// Rounds of a tree that doubles: the logarithm to base 2, rounded down or up. ranks > 0.
constexpr int log2_floor(int ranks) {
  int log = 0;
  while (ranks >> (log + 1) > 0) ++log;
  return log;
}
constexpr int log2_ceil(int ranks) {
  return ranks == 1 ? 0 : log2_floor(ranks - 1) + 1;
}

}  // namespace forms

}  // namespace tombolo
