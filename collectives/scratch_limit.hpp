#pragma once

#include <algorithm>
#include <cstdint>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// How many elements of scratch a rank may take that combines vectors of `count`: twice the vector, or so many as fit
/// into 1 MiB, so that several short vectors may arrive at a time.
inline std::int64_t combining_scratch_limit(std::int64_t count, Bytes element_bytes) {
  constexpr Bytes small = Bytes{1} << 20;
  return std::max(2 * count, small / std::max<Bytes>(element_bytes, 1));
}

}  // namespace tombolo
