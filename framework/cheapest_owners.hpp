#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// One owner for each part, every rank owning one, so that the costs add up to the least. costs[part][rank] is 0 or
/// more, or `forbidden`. Costs are rounded to some 2^29 / ranks steps between the least and the largest. Throws Error
/// if forbidden ones leave no way, std::logic_error if there is not one cost for each part and rank.
///
///     cheapest_owners({{4, 1}, {2, 9}}) = {1, 0}
///
/// Solved by GLPK's out-of-kilter algorithm, the same on every run.
std::vector<Rank> cheapest_owners(const std::vector<std::vector<std::int64_t>>& costs);
inline constexpr std::int64_t forbidden = -1;

}  // namespace tombolo
