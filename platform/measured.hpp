#pragma once

#include <cstdint>

namespace tombolo {

/// A figure that was measured, in the unit of what it is about (picoseconds, bytes per second).
struct Measured {
  std::int64_t value = 0;
  std::int64_t error = 0;  ///< half the width of its 95 % confidence interval; 0 where it was stated or is exact
  bool operator==(const Measured&) const = default;
};

}  // namespace tombolo
