#pragma once

#include <cstdint>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Picoseconds that 10^6 bytes take: the inverse of a rate, fine enough for any memory and exact where it is 0. At 1
/// GB/s it is 10^9. One that was fitted may be negative.
using PerMegabyte = std::int64_t;

constexpr std::int64_t megabyte = 1'000'000;

/// So many bytes at that inverse rate, rounded up; beyond `never`, to either side, it stays there.
constexpr Picoseconds time_for(Bytes bytes, PerMegabyte inverse) {
  __extension__ using Wide = __int128;
  const Wide product = static_cast<Wide>(bytes) * static_cast<Wide>(inverse);
  const Wide quotient = product / megabyte;  // towards 0, which is up where it is negative
  const Wide time = quotient + (product > quotient * megabyte ? 1 : 0);
  if (time > static_cast<Wide>(never)) return never;
  return time < -static_cast<Wide>(never) ? -never : static_cast<Picoseconds>(time);
}

}  // namespace tombolo
