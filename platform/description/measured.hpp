#pragma once

#include <cstdint>

namespace tombolo {

/// A measured value with its error, in the unit of the quantity (picoseconds, bytes per second).
struct Measured {
  std::int64_t value = 0;
  std::int64_t error = 0;  ///< half the width of its 95 % confidence interval; 0 if the value was stated or is exact
  bool operator==(const Measured&) const = default;
};

}  // namespace tombolo
