#pragma once

#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Returns 0, 1, ..., ranks - 1.
std::vector<Rank> all_in_order(int ranks);

/// Returns each rank's number among the members: r for rank members[r], -1 for all other ranks. Throws Error for a
/// member outside 0 .. ranks - 1 and for a repeated one.
std::vector<Rank> numbers_among(const std::vector<Rank>& members, int ranks);

}  // namespace tombolo
