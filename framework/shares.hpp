#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Returns the number of items of each rank, of n items, in proportion to speeds by largest remainder: every rank first
/// gets the whole part of its exact share n * speed / total; the items left go, one each, to the ranks with the largest
/// fractions, the lower rank first among equals. Exact integer arithmetic, so all ranks agree.
///
///     proportional_shares(10, speeds {3, 2, 1})   exact shares 5, 3.33, 1.67
///                                                 whole parts  5, 3,    1     one item is left, for rank 2
///                                                 = {5, 3, 2}
///
/// The shares sum to n, each is less than one item away from exact, a faster rank never gets less than a slower one,
/// and speed 0 gets nothing. Speeds may have any common unit. n and every speed may be up to 2^63 - 1. Throws Error if
/// n or a speed is negative, or if no speed is positive. Source: slices in proportion to speed, Lastovetsky and Rychkov
/// 2009 (the LMO paper), section 7 and Figure 5.
std::vector<std::int64_t> proportional_shares(std::int64_t n, std::span<const FlopsPerSecond> speeds);

/// Divides n items over ranks of equal speed; ranks 0 to n mod ranks - 1 get one item more. Throws Error if ranks < 1
/// or n < 0.
std::vector<std::int64_t> equal_shares(std::int64_t n, int ranks);

/// Returns the start of each share and, at the end, the sum: rank r holds items result[r] to result[r + 1] - 1.
/// first_of({5, 3, 2}) = {0, 5, 8, 10}
std::vector<std::int64_t> first_of(std::span<const std::int64_t> shares);

}  // namespace tombolo
