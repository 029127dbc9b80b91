#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/speed_function.hpp>

namespace tombolo {

/// Returns the number of items of each rank, of n items, if a rank's speed depends on its number of items: rank r with
/// x items has a problem of size x * size_per_item, has the speed s_r of that size and takes x / s_r. The longest time
/// is minimal for whole items, and the other times are as equal as possible. `most` limits the items by rank, for
/// memory for example; empty means no limits. With constant speeds, and limits that are not reached, the result equals
/// proportional_shares().
///
///     functional_shares(12, {of_speed 4000 up to size 4 and 1000 from size 8, constant 1000}, 1) = {7, 5}
///
/// A speed that rises faster than the size makes times that fall again. The longest time is minimal then too, because
/// the search uses the set of counts that each rank can do within a time, not one upper bound (of more than 1000
/// intervals of joint counts, the shortest are dropped). Sizes beyond 2^63 - 1 count as 2^63 - 1. Integers, so all
/// ranks agree. Throws Error if n, a limit or size_per_item is out of range, if no speed is positive, or if the limits
/// together are below n. Source: Lastovetsky and Reddy 2007, whose lines through the origin are the times searched
/// here.
std::vector<std::int64_t> functional_shares(std::int64_t n, std::span<const SpeedFunction> speeds,
                                            std::int64_t size_per_item, std::span<const std::int64_t> most = {});

}  // namespace tombolo
