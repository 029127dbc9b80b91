#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/speed_function.hpp>

namespace tombolo {

/// How many of n items each rank gets where its speed depends on how many it has: rank r with x items works on a
/// problem of size x * size_per_item at the speed s_r of that size and takes x / s_r. The longest of these times is as
/// short as whole items allow, and they agree as nearly as that leaves them to. `most` are limits by rank, of memory
/// say; none where it is empty. With constant speeds, and limits that do not matter, these are proportional_shares().
///
///     functional_shares(12, {of_speed 4000 up to size 4 and 1000 from size 8, constant 1000}, 1) = {7, 5}
///
/// A speed that rises faster than the size makes times that fall again; then too the longest is least, as it is decided
/// by the sets of counts that each rank can do within a time, and not by a single bound of them (beyond 1000 gaps in
/// what ranks can do together the smallest gaps' neighbours are given up). Sizes beyond 2^63 - 1 count as that.
/// Integers, so all ranks agree. Throws Error if n, a limit or size_per_item is out of range, if no speed is positive,
/// or if the limits do not hold n items together. Source: Lastovetsky and Reddy 2007, whose lines through the origin
/// are the times that are searched here.
std::vector<std::int64_t> functional_shares(std::int64_t n, std::span<const SpeedFunction> speeds,
                                            std::int64_t size_per_item, std::span<const std::int64_t> most = {});

}  // namespace tombolo
