#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Solves the assignment problem: one owner for each part, one part for each rank, with the least sum of costs.
/// costs[part][rank] is 0 or more, or `forbidden`. Costs are rounded to about 2^29 / ranks steps between the least and
/// the largest. Throws Error if the forbidden pairs leave no assignment, std::logic_error unless there is one cost for
/// each part and rank.
///
///     cheapest_owners({{4, 1}, {2, 9}}) = {1, 0}
///
/// Uses GLPK's out-of-kilter algorithm; deterministic.
std::vector<Rank> cheapest_owners(const std::vector<std::vector<std::int64_t>>& costs);
inline constexpr std::int64_t forbidden = -1;

}  // namespace tombolo
