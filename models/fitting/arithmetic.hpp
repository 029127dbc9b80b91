#pragma once

#include <cstdint>

#include <tombolo/units.hpp>

namespace tombolo {

/// A dimensionless factor as an integer: 1 000 000 is one, 400 000 the paper's 2/5.
using Millionths = std::int64_t;
constexpr Millionths one_in_millionths = 1'000'000;

/// value * factor / divisor, rounded up; clamped to [-never, never]. divisor > 0.
constexpr Picoseconds scaled(std::int64_t value, std::int64_t factor, std::int64_t divisor) {
  const Wide product = static_cast<Wide>(value) * static_cast<Wide>(factor);
  // Division is towards 0, which is up for negative values.
  const Wide divided = (product + (product > 0 ? divisor - 1 : 0)) / divisor;
  if (divided > static_cast<Wide>(never)) return never;
  return divided < -static_cast<Wide>(never) ? -never : static_cast<Picoseconds>(divided);
}

/// count * time; `never` on overflow.
constexpr Picoseconds times(std::int64_t count, Picoseconds time) {
  return scaled(time, count, 1);
}

/// Picoseconds per 10^6 bytes: an inverse rate, with enough resolution for any memory and an exact 0. 1 GB/s is 10^9. A
/// fitted value may be negative.
using PerMegabyte = std::int64_t;

constexpr std::int64_t megabyte = 1'000'000;

/// Time for `bytes` bytes at an inverse rate, rounded up; clamped to [-never, never].
constexpr Picoseconds time_for(Bytes bytes, PerMegabyte inverse) {
  return scaled(bytes, inverse, megabyte);
}

}  // namespace tombolo
