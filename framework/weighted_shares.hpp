#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tombolo {

/// Returns the number of consecutive items of each rank, for items in a fixed order: the first items are rank 0's, the
/// next rank 1's, and so on. Weights of items, 0 or more, are proportional to their time (for example the nonzeros of a
/// row of a sparse matrix). The longest time weight / speed is the least possible for slices in rank order, and within
/// this bound each slice ends where the accumulated weight is nearest to the ranks' part of the total speed. If all
/// weights are 0, items count equally. `most` limits the numbers of items by rank; empty means no limits. A rank of
/// speed 0 gets nothing.
///
///     weighted_shares(weights {5, 1, 1, 1, 2}, speeds {1, 1}) = {1, 4}
///
/// Integers, so all ranks agree; takes O(items + 130 ranks log(items)) time. Throws Error if a weight, speed or limit
/// is negative, if weights sum beyond 2^63 - 1, if no speed is positive, or if the limits together are less than the
/// number of items. Source: bisection over the time with greedy slices, the exact solution of chains on chains, Pinar
/// and Aykanat 2004, section 3.
std::vector<std::int64_t> weighted_shares(std::span<const std::int64_t> weights, std::span<const std::int64_t> speeds,
                                          std::span<const std::int64_t> most = {});

/// Returns the sum of weights before each item, and of all items. Throws Error for a negative weight or a sum beyond
/// 2^63 - 1.
std::vector<std::int64_t> weights_before(std::span<const std::int64_t> weights);

/// Returns weighted_shares() of items given by their consecutive weight sums, ascending from any start. Avoids another
/// pass over the items if the same items are divided often.
std::vector<std::int64_t> shares_of_sums(std::span<const std::int64_t> sums, std::span<const std::int64_t> speeds,
                                         std::span<const std::int64_t> most = {});

}  // namespace tombolo
