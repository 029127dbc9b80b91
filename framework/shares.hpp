#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// How many of n items each rank gets, in proportion to its speed, by largest remainder: every rank first gets the
/// whole part of its exact share n * speed / total, and the items that are left go, one each, to the ranks that lost
/// the largest fractions, the lower rank first among equals. Computed exactly in integers, so all ranks agree.
///
///     proportional_shares(10, speeds {3, 2, 1})   exact shares 5, 3.33, 1.67
///                                                 whole parts  5, 3,    1     one item is left, for rank 2
///                                                 = {5, 3, 2}
///
/// The shares sum to n, each is less than one item away from exact, a faster rank never gets less than a slower one,
/// and speed 0 gets nothing. Speeds may be in any one unit. n and every speed may be anything up to 2^63 - 1. Throws
/// Error if n or a speed is negative, or if no speed is positive. Source: slices in proportion to speed, Lastovetsky
/// and Rychkov 2009 (the LMO paper), section 7 and Figure 5.
std::vector<std::int64_t> proportional_shares(std::int64_t n, std::span<const FlopsPerSecond> speeds);

/// n items over ranks of one speed: the first n mod ranks of them get one item more. Throws Error if ranks < 1 or n <
/// 0.
std::vector<std::int64_t> equal_shares(std::int64_t n, int ranks);

/// Where each share begins, and at the end their sum: rank r holds the items from result[r] up to result[r + 1].
/// first_of({5, 3, 2}) = {0, 5, 8, 10}
std::vector<std::int64_t> first_of(std::span<const std::int64_t> shares);

}  // namespace tombolo
