#pragma once

#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// 0, 1, 2, ...: all of so many ranks.
std::vector<Rank> all_in_order(int ranks);

/// Of so many ranks, the numbers that they have among some of them: r for members[r], -1 for those that are not
/// members. Throws Error for a member that is no such rank, or stands twice.
std::vector<Rank> numbers_among(const std::vector<Rank>& members, int ranks);

}  // namespace tombolo
