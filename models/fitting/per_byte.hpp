#pragma once

#include <cstdint>

#include <tombolo/models/fitting/arithmetic.hpp>

namespace tombolo {

/// Picoseconds per 10^6 bytes: an inverse rate, with enough resolution for any memory and an exact 0. 1 GB/s is 10^9. A
/// fitted value may be negative.
using PerMegabyte = std::int64_t;

constexpr std::int64_t megabyte = 1'000'000;

/// Time for `bytes` bytes at an inverse rate, rounded up; clamped to [-never, never].
constexpr Picoseconds time_for(Bytes bytes, PerMegabyte inverse) {
  return scaled(bytes, inverse, megabyte);
}

}  // namespace tombolo
