#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include <tombolo/units.hpp>

namespace tombolo {

/// A time of ticks / 2^shift, the variable of a search for partitions: exact integers over the whole range of quotients
/// of two 63-bit numbers.
struct TimeLimit {
  std::int64_t ticks = 0;
  int shift = 0;

  /// Returns the number of operations at this speed within the time, rounded down, at most 2^63 - 1.
  std::int64_t amount(std::int64_t speed) const {
    constexpr auto most = static_cast<UnsignedWide>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(
        std::min((static_cast<UnsignedWide>(ticks) * static_cast<UnsignedWide>(speed)) >> shift, most));
  }

  /// A time that suffices for any amount at any positive speed.
  static constexpr TimeLimit longest() { return {std::numeric_limits<std::int64_t>::max(), 0}; }
};

/// Returns the least time, to 62 binary digits, with enough(limit) true; `enough` must be monotonic. Returns nullopt if
/// enough(longest()) is false.
template <class Enough>
std::optional<TimeLimit> least_time(const Enough& enough) {
  constexpr std::int64_t one = std::int64_t{1} << 62;
  constexpr int finest = 125;
  if (!enough(TimeLimit::longest())) return std::nullopt;
  // First the power of two, 2^62 / 2^shift, with the largest shift that is enough.
  int yes = -1;
  for (int no = finest + 1; no - yes > 1;) {
    const int middle = (yes + no) / 2;
    (enough(TimeLimit{one, middle}) ? yes : no) = middle;
  }
  const bool beyond = yes < 0;
  TimeLimit least{beyond ? TimeLimit::longest().ticks : one, beyond ? 0 : yes};
  for (std::int64_t no = yes == finest ? 0 : (beyond ? one : one / 2); least.ticks - no > 1;) {
    const std::int64_t middle = no + (least.ticks - no) / 2;
    (enough(TimeLimit{middle, least.shift}) ? least.ticks : no) = middle;
  }
  return least;
}

}  // namespace tombolo
