#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tombolo {

/// How many of the items, which stay in their order, each rank gets: the first so many are rank 0's, the next rank 1's,
/// and so on. Items have weights of 0 or more, of what takes time in them (the elements of a sparse matrix's row that
/// are not zero); the longest of the times weight / speed is the least that slices in the order of ranks can have, and
/// within that each slice ends where the weight so far is nearest to the ranks' part of the speed. Where all weights
/// are 0 items count alike. `most` are limits of the number of items by rank; none where it is empty. A rank of speed 0
/// gets nothing.
///
///     weighted_shares(weights {5, 1, 1, 1, 2}, speeds {1, 1}) = {1, 4}
///
/// Integers, so all ranks agree; takes time in proportion to items, and ranks times 130 times log(items). Throws Error
/// if a weight, speed or limit is negative, if weights sum beyond 2^63 - 1, if no speed is positive, or if the limits
/// do not hold all items. Source: bisection over the time with greedy slices, the exact solution of chains on chains,
/// Pinar and Aykanat 2004, section 3.
std::vector<std::int64_t> weighted_shares(std::span<const std::int64_t> weights, std::span<const std::int64_t> speeds,
                                          std::span<const std::int64_t> most = {});

}  // namespace tombolo
