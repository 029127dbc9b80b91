#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Returns the layout of B = A^T with its parts assigned to ranks so that the traffic is minimal: the sum of elements
/// moved times the slowness of the link used. `platform`, if not null, gives the slowness. A rank gets no part more
/// than an eighth larger than the larger of its parts in `a` and `b`, to limit memory and time. Returns `b` unchanged
/// if less than 1/64 would be saved. Above most_solved ranks an assignment is found only if every part can have its
/// cheapest owner, as for a turned grid; above most_assigned ranks the result is `b`.
Layout assign_parts(const Layout& a, const Layout& b, const Platform* platform);
inline constexpr int most_solved = 128;  // GLPK takes 0.5 s for 128 ranks, 6 s for 256
inline constexpr int most_assigned = 1024;

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
